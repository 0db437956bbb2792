import { inSpan, inTrace } from '../../../protocol/telemetry/trace.ts'
import { describeFault, type Fault, isOutage } from '../../faults.ts'
import type { Job, JobServices } from './services.ts'

const LONG_WAIT_MS = 60_000
/**
 * The delay before a retry of a job that failed, that is fenced, or that is due but could not be finished.
 */
const RETRY_MS = 1_000

export interface JobRunsOptions {
  services: JobServices
  /** Whether jobs that move money may run. */
  isFenceOpen: () => Promise<boolean>
  /** Called after each run that was not held back. `waits`: the database or the node could not be reached. */
  onRun?: (job: string, outcome: 'done' | 'failed' | 'waits', durationMs: number) => void
}

/** Runs the jobs that the queue gives to this worker, and reports when each is needed again. */
export class JobRuns {
  readonly #options: JobRunsOptions
  /** When each job began to wait for the database or the node, and when that was last logged as an alarm. */
  readonly #waits = new Map<string, { since: number; alarmedAt: number }>()

  constructor(options: JobRunsOptions) {
    this.#options = options
  }

  /**
   * Runs a job once. Returns the milliseconds until its next run, if that is known: a second if it failed, or
   * is fenced. Never throws: a failure is logged, as an alarm unless the database or the node is unreachable.
   */
  async once(job: Job): Promise<number | undefined> {
    const { services, isFenceOpen, onRun } = this.#options
    const startedMs = performance.now()
    const ran = (outcome: 'done' | 'failed' | 'waits') => onRun?.(job.name, outcome, performance.now() - startedMs)
    try {
      if (job.isFenced && !(await isFenceOpen())) return RETRY_MS
      const run = () => inSpan(`job ${job.name}`, {}, () => job.run(services))
      await inTrace(null, run)
      const dueInMs = await job.dueInMs?.(services)
      this.#waits.delete(job.name)
      ran('done')
      return dueInMs === undefined || dueInMs > 0 ? dueInMs : RETRY_MS
    } catch (error) {
      const fault = describeFault(error)
      ran(isOutage(error) ? 'waits' : 'failed')
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
