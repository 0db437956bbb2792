import { settledBlock } from '../chain/progress.ts'
import { describeFault, isOutage } from '../faults.ts'
import { exclusively } from './lock.ts'
import type { Progress } from './progress.ts'
import type { Job, JobServices } from './services.ts'

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
    } catch (error) {
      const fault = describeFault(error)
      if (isOutage(error)) log.warn({ job: job.name, fault }, 'a job waits for the database or the node')
      else log.error({ alarm: true, job: job.name, fault }, 'a job failed')
    }
  }
}
