import { setTimeout as delay } from 'node:timers/promises'
import { describeFault, type Fault, isOutage } from '../../faults.ts'
import type { Job, JobServices } from './services.ts'

const LONG_WAIT_MS = 60_000
/**
 * The delay before a retry of a job that failed, that another worker runs, or that is due but could not be finished.
 */
const RETRY_MS = 1_000

export interface RunnerOptions {
  services: JobServices
  jobs: readonly Job[]
  /** Runs a task unless another worker runs it. Returns false if another does. */
  exclusively: (name: string, task: () => Promise<void>) => Promise<boolean>
  /** Whether jobs that move money may run. */
  isFenceOpen: () => Promise<boolean>
}

/**
 * Runs jobs when they are woken and when they are due. A job that is woken while it runs is run once more afterwards,
 * so that no wake-up is lost. A job that failed, or that another worker runs, is retried after a second.
 */
export class Runner {
  readonly #options: RunnerOptions
  readonly #jobs: ReadonlyMap<string, Job>
  readonly #running = new Map<string, Promise<void>>()
  readonly #again = new Set<string>()
  readonly #timers = new Map<string, NodeJS.Timeout>()
  /** When each job began to wait for the database or the node, and when that was last logged as an alarm. */
  readonly #waits = new Map<string, { since: number; alarmedAt: number }>()
  readonly #stopping = new AbortController()

  constructor(options: RunnerOptions) {
    this.#options = options
    this.#jobs = new Map(options.jobs.map((job) => [job.name, job]))
  }

  /** Runs a job, and resolves when it has run. A name that this build does not know is ignored. */
  async wake(name: string): Promise<void> {
    const job = this.#jobs.get(name)
    if (!job || this.#stopping.signal.aborted) return
    const running = this.#running.get(name)
    if (running) {
      this.#again.add(name)
      return running
    }
    const run = this.#runUntilQuiet(job).finally(() => this.#running.delete(name))
    this.#running.set(name, run)
    return run
  }

  /** Wakes all jobs, because notifications may have been missed. */
  wakeAll(): void {
    for (const name of this.#jobs.keys()) void this.wake(name)
  }

  /** Starts no more jobs, and resolves when the running ones have ended. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    for (const timer of this.#timers.values()) clearTimeout(timer)
    await Promise.all(this.#running.values())
  }

  async #runUntilQuiet(job: Job): Promise<void> {
    clearTimeout(this.#timers.get(job.name))
    const { signal } = this.#stopping
    let dueInMs: number | undefined
    do {
      this.#again.delete(job.name)
      dueInMs = await this.#runOnce(job)
      if (job.pauseMs) await delay(job.pauseMs, undefined, { signal }).catch(() => {})
    } while (this.#again.has(job.name) && !signal.aborted)
    // The next scheduled run covers what is due later than it.
    if (dueInMs === undefined || dueInMs > job.everyMs || signal.aborted) return
    this.#timers.set(
      job.name,
      setTimeout(() => void this.wake(job.name), dueInMs),
    )
  }

  /** Runs a job once. Returns the delay until its next run if that must come before its schedule. */
  async #runOnce(job: Job): Promise<number | undefined> {
    const { services, exclusively, isFenceOpen } = this.#options
    try {
      if (job.isFenced && !(await isFenceOpen())) return RETRY_MS
      let dueInMs: number | undefined
      const task = async () => {
        await job.run(services)
        dueInMs = await job.dueInMs?.(services)
      }
      const hasRun = job.isShared ? await task().then(() => true) : await exclusively(job.name, task)
      this.#waits.delete(job.name)
      if (!hasRun) return RETRY_MS
      return dueInMs === undefined || dueInMs > 0 ? dueInMs : RETRY_MS
    } catch (error) {
      const fault = describeFault(error)
      if (isOutage(error)) this.#logWait({ job: job.name, fault })
      else services.log.error({ alarm: true, job: job.name, fault }, 'job failed')
      return RETRY_MS
    }
  }

  /** Most outages end by themselves. A lasting one raises an alarm, once a minute. */
  #logWait(about: { job: string; fault: Fault }): void {
    const { log } = this.#options.services
    const now = performance.now()
    const wait = this.#waits.get(about.job) ?? { since: now, alarmedAt: now }
    this.#waits.set(about.job, wait)
    log.warn(about, 'a job waits for the database or the node')
    if (now - wait.alarmedAt < LONG_WAIT_MS) return
    wait.alarmedAt = now
    log.error(
      { alarm: true, ...about, seconds: Math.round((now - wait.since) / 1_000) },
      'a job has waited for more than a minute',
    )
  }
}
