import { settledBlock } from '../chain/progress.ts'
import { describeFault, type Fault, isOutage } from '../faults.ts'
import { exclusively } from './lock.ts'
import type { Progress } from './progress.ts'
import type { Job, JobServices } from './services.ts'

const LONG_WAIT_MS = 60_000

/**
 * Runs jobs when woken. A job that is running when it is woken runs once more afterwards, so that no wake-up is lost; a
 * run that fails is said to have, and the next wake-up tries again.
 */
export class Runner {
  readonly #services: JobServices
  readonly #jobs: ReadonlyMap<string, Job>
  readonly #progress: Progress
  readonly #running = new Map<string, Promise<void>>()
  readonly #again = new Set<string>()
  /** Since when a job has waited for the database or the node, and when that was last said to be too long. */
  readonly #waits = new Map<string, { since: number; saidAt: number }>()
  #isStopping = false

  constructor(services: JobServices, jobs: readonly Job[], progress: Progress) {
    this.#services = services
    this.#jobs = new Map(jobs.map((job) => [job.name, job]))
    this.#progress = progress
  }

  /** Runs a job, and resolves when it has run. One that this build does not know is passed over. */
  async wake(name: string): Promise<void> {
    const job = this.#jobs.get(name)
    if (!job || this.#isStopping) return
    const running = this.#running.get(name)
    if (running) {
      this.#again.add(name)
      return running
    }
    const run = this.#runUntilQuiet(job).finally(() => this.#running.delete(name))
    this.#running.set(name, run)
    return run
  }

  /** Begins nothing more, and resolves when what is running has ended. */
  async stop(): Promise<void> {
    this.#isStopping = true
    await Promise.all(this.#running.values())
  }

  async #runUntilQuiet(job: Job): Promise<void> {
    do {
      this.#again.delete(job.name)
      await this.#runOnce(job)
    } while (this.#again.has(job.name) && !this.#isStopping)
  }

  async #runOnce(job: Job): Promise<void> {
    const { db, log } = this.#services
    try {
      if (job.isFenced && !(this.#progress.isCaughtUp && (await settledBlock(db)))) return
      await exclusively(db, job.name, () => job.run(this.#services))
      this.#waits.delete(job.name)
    } catch (error) {
      const fault = describeFault(error)
      if (isOutage(error)) this.#tellOfWait({ job: job.name, fault })
      else log.error({ alarm: true, job: job.name, fault }, 'a job failed')
    }
  }

  /** An outage ends by itself, as a rule. One that lasts is for somebody to look at, once a minute. */
  #tellOfWait(about: { job: string; fault: Fault }): void {
    const { log } = this.#services
    const now = performance.now()
    const wait = this.#waits.get(about.job) ?? { since: now, saidAt: now }
    this.#waits.set(about.job, wait)
    log.warn(about, 'a job waits for the database or the node')
    if (now - wait.saidAt < LONG_WAIT_MS) return
    wait.saidAt = now
    log.error({ alarm: true, ...about, seconds: Math.round((now - wait.since) / 1_000) }, 'a job has waited for long')
  }
}
