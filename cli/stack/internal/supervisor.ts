import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import {
  launch,
  ProcessFailure,
  type ProcessSpec,
  type StartedProcess,
  signal,
  untilReady,
} from '../../machine/process.ts'

const STOP_GRACE_MS = 15_000
const FIRST_PAUSE_MS = 200
const LONGEST_PAUSE_MS = 10_000
const MOST_DOUBLINGS = 5

export interface SupervisorOptions {
  logDir: string
  /** Called with a sentence about what happens to the processes after their start. */
  onNotice?: (notice: string) => void
  /** Called when a process that cannot be restarted has ended: the rest is then useless. */
  onLoss?: (failure: ProcessFailure) => void
}

interface Charge {
  spec: ProcessSpec
  process: StartedProcess
  /** Counts its lives: killing it ends one, and with it every attempt to restart it in that life. */
  life: number
}

/**
 * Keeps processes running: restarts a crashed one with a notice. All end together, the last started first.
 */
export class Supervisor {
  readonly #options: SupervisorOptions
  readonly #charges = new Map<string, Charge>()
  #stopping = false

  constructor(options: SupervisorOptions) {
    this.#options = options
  }

  /** Returns the log file of a process. */
  logFile(name: string): string {
    return join(this.#options.logDir, `${name}.log`)
  }

  /** Returns a process's output since its last start. */
  output(name: string): string {
    return this.#charge(name).process.output()
  }

  /** Returns the process id, which is also its group's. */
  pid(name: string): number {
    return this.#charge(name).process.pid
  }

  /** Returns the process ids of all processes, by name. */
  pids(): ReadonlyMap<string, number> {
    return new Map([...this.#charges].map(([name, { process }]) => [name, process.pid]))
  }

  /** Starts a process and waits until it is ready. Throws a ProcessFailure if it is not. */
  async start(spec: ProcessSpec): Promise<void> {
    if (this.#stopping) throw new Error(`${spec.name} was not started: everything is being stopped`)
    const process = launch(spec, this.logFile(spec.name))
    const charge = { spec, process, life: 0 }
    this.#charges.set(spec.name, charge)
    await untilReady(spec, process)
    this.#watch(charge)
  }

  /** Ends a process as a crash would (SIGKILL), without restarting it. */
  async kill(name: string): Promise<void> {
    const charge = this.#charge(name)
    charge.life++
    signal(charge.process, 'SIGKILL')
    await charge.process.ended
  }

  /** Ends a process as an operator would, without restarting it. */
  async end(name: string): Promise<void> {
    const charge = this.#charge(name)
    charge.life++
    await this.#end(charge)
  }

  /** Restarts a dead process and waits until it is ready. */
  async restart(name: string): Promise<void> {
    const charge = this.#charge(name)
    await this.#revive(charge, charge.spec.readyTimeoutMs)
    this.#watch(charge)
  }

  /**
   * Ends all processes, the last started first. Never throws: a process that does not end in time is killed.
   */
  async stop(): Promise<void> {
    this.#stopping = true
    for (const charge of [...this.#charges.values()].reverse()) await this.#end(charge)
    this.#charges.clear()
  }

  #charge(name: string): Charge {
    const charge = this.#charges.get(name)
    if (!charge) throw new Error(`no process is called ${name}`)
    return charge
  }

  #watch(charge: Charge): void {
    const { spec, process, life } = charge
    void process.ended.then(async (how) => {
      if (this.#isOver(charge, life)) return
      const failure = new ProcessFailure(spec.name, `ended (${how})`, process.output())
      if (!spec.restartable) return this.#options.onLoss?.(failure)
      this.#options.onNotice?.(`${failure.message}\n${spec.name} is started again`)
      await this.#revive(charge, Number.POSITIVE_INFINITY).catch(() => {})
      if (this.#isOver(charge, life)) return
      this.#options.onNotice?.(`${spec.name} is back`)
      this.#watch(charge)
    })
  }

  // What a crash leaves (a lock, shared memory) may take a moment to disappear, so the first attempts may
  // fail. On a machine that is short of CPU a start takes longer than at first: each attempt gets twice the
  // time, so that one succeeds.
  async #revive(charge: Charge, patienceMs: number): Promise<void> {
    const { life } = charge
    const deadline = performance.now() + patienceMs
    for (let attempt = 0; ; attempt++) {
      const started = launch(charge.spec, this.logFile(charge.spec.name))
      charge.process = started
      try {
        const readyTimeoutMs = charge.spec.readyTimeoutMs * 2 ** Math.min(attempt, MOST_DOUBLINGS)
        return await untilReady({ ...charge.spec, readyTimeoutMs }, started)
      } catch (error) {
        // Not charge.process, which may already belong to another life.
        signal(started, 'SIGKILL')
        if (this.#isOver(charge, life) || performance.now() > deadline) throw error
      }
      await delay(Math.min(FIRST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS))
      if (this.#isOver(charge, life)) return
    }
  }

  #isOver(charge: Charge, life: number): boolean {
    return this.#stopping || charge.life !== life
  }

  async #end({ spec, process }: Charge): Promise<void> {
    signal(process, spec.stopSignal)
    const grace = delay(STOP_GRACE_MS, 'late', { ref: false })
    if ((await Promise.race([process.ended, grace])) === 'late') signal(process, 'SIGKILL')
    await process.ended
  }
}
