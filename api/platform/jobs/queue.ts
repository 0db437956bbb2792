import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { ErrorCode } from 'bullmq'
import type { Logger } from 'pino'
import { describeFault } from '../../faults.ts'
import { type Jobs, type JobTaker, openJobs, openJobTaker, type QueuePlace } from './connection.ts'
import { recoverStalledJobs } from './internal/stalledJobs.ts'
import type { Job } from './services.ts'

const LOG_INTERVAL_MS = 60_000
const REFUSALS: ReadonlySet<unknown> = new Set([
  ErrorCode.JobNotExist,
  ErrorCode.JobLockNotExist,
  ErrorCode.JobNotInState,
  ErrorCode.JobLockMismatch,
])
// BullMQ gives this error no code.
const REFUSED_RENEWAL = /^could not renew lock for job /

/** How soon the queue notices failures. */
interface QueueTiming {
  /**
   * How long a job of a killed worker stays locked; then it is found within two checks, and another worker
   * runs it. A live worker renews the lock in half that time, but not while the end of a job waits for the
   * connection, or a job for its start: that takes seconds where there is little CPU. If it cannot renew the
   * lock, the job may run twice, which does no harm.
   */
  lockMs: number
  stalledLookMs: number
  /**
   * How soon an emptied queue gets its schedules again, and how far from now a next tick is taken for that of
   * a wrong clock.
   */
  scheduleLookMs: number
}

const TIMING: QueueTiming = { lockMs: 6_000, stalledLookMs: 1_000, scheduleLookMs: 10_000 }
/** A job is never given up because workers were killed while running it. */
const MAX_STALLED = 1_000_000
const RETRY_MS = 1_000
/**
 * The shortest time between two batches of wake-ups. Jobs that are woken in between go into the next batch.
 */
const BATCH_PAUSE_MS = 20
const TICK = 'every:'

export interface JobQueueOptions {
  place: QueuePlace
  jobs: readonly Job[]
  /**
   * Runs a job once. Returns when the next run is needed, if that is before the next scheduled one. Never
   * throws.
   */
  run: (job: Job) => Promise<number | undefined>
  /** Called when the queue refuses the end or the lock of a job that this worker has lost. */
  onRefusal?: () => void
  log: Logger
  timing?: QueueTiming
}

/**
 * The queue that gives each job to one of the workers. It holds only names: a job is in it at most once
 * waiting and once running; our own rows say what to do, and when. So the schedule makes up for a lost
 * wake-up, and a queue that was emptied fills again.
 */
export class JobQueue {
  readonly #options: JobQueueOptions
  readonly #jobs: ReadonlyMap<string, Job>
  readonly #queue: Jobs
  readonly #taker: JobTaker
  readonly #wanted = new Set<string>()
  readonly #timers = new Map<string, NodeJS.Timeout>()
  readonly #stopping = new AbortController()
  #adding: Promise<void> | undefined
  #scheduling: Promise<void> = Promise.resolve()
  readonly #recovering: Promise<void>

  private constructor(options: JobQueueOptions) {
    const { place, jobs, log, timing: { lockMs, stalledLookMs } = TIMING } = options
    this.#options = options
    this.#jobs = new Map(jobs.map((job) => [job.name, job]))
    const onError = faultListener(log, options.onRefusal)
    this.#queue = openJobs(place, onError)
    // A job that waits for its receivers, a model or a scanner does not delay other jobs.
    const concurrency = jobs.length + 1
    const lock = { lockDuration: lockMs, stalledInterval: stalledLookMs, maxStalledCount: MAX_STALLED }
    // `recoverStalledJobs` makes the check instead.
    const timing = { concurrency, ...lock, skipStalledCheck: true, runRetryDelay: RETRY_MS }
    this.#taker = openJobTaker(place, ({ name }) => this.#process(name), { ...timing, onError })
    const recover = () => this.#taker.getBackend().moveStalledJobsToWait()
    this.#recovering = recoverStalledJobs({ recover, onError, lockMs, lookMs: stalledLookMs }, this.#stopping.signal)
  }

  /** Opens the queue, and starts running its jobs. Throws if the queue cannot be reached. */
  static async open(options: JobQueueOptions): Promise<JobQueue> {
    const queue = new JobQueue(options)
    try {
      await Promise.all([queue.#queue.waitUntilReady(), queue.#taker.waitUntilReady()])
    } catch (error) {
      await queue.close()
      throw error
    }
    queue.#scheduling = queue.#keepScheduled()
    return queue
  }

  /**
   * Wakes a job, to be run soon by one of the workers. A job that already waits is not added again; a running
   * one runs once more afterwards. A name that this build does not know is ignored.
   */
  wake(name: string): void {
    if (!this.#jobs.has(name) || this.#stopping.signal.aborted) return
    this.#wanted.add(name)
    this.#adding ??= this.#addWanted()
  }

  /** Wakes all jobs, because notifications may have been missed. */
  wakeAll(): void {
    for (const name of this.#jobs.keys()) this.wake(name)
  }

  /** Starts no more jobs, and resolves when the running jobs of this worker have ended. */
  async close(): Promise<void> {
    this.#stopping.abort()
    for (const timer of this.#timers.values()) clearTimeout(timer)
    await this.#taker.close()
    await Promise.all([this.#adding, this.#scheduling, this.#recovering])
    await this.#queue.close()
  }

  /** A wake-up that could not be added is added later: its row is still waiting. */
  async #addWanted(): Promise<void> {
    while (this.#wanted.size > 0 && !this.#stopping.signal.aborted) {
      const names = [...this.#wanted]
      this.#wanted.clear()
      try {
        await this.#queue.addBulk(names.map(wakeUp))
        await this.#pause(BATCH_PAUSE_MS)
      } catch (error) {
        for (const name of names) this.#wanted.add(name)
        this.#options.log.warn({ jobs: names, fault: describeFault(error) }, 'jobs could not be woken')
        await this.#pause(RETRY_MS)
      }
    }
    this.#adding = undefined
  }

  async #process(name: string): Promise<void> {
    if (name.startsWith(TICK)) {
      const everyMs = Number(name.slice(TICK.length))
      for (const job of this.#jobs.values()) if (job.everyMs === everyMs) this.wake(job.name)
    }
    const job = this.#jobs.get(name)
    if (!job) return
    clearTimeout(this.#timers.get(name))
    const dueInMs = await this.#options.run(job)
    // During the pause the job counts as running: a wake-up meanwhile makes it run once more.
    if (job.pauseMs) await this.#pause(job.pauseMs)
    // Rows that are due after the next scheduled run are left to it.
    if (dueInMs === undefined || dueInMs > job.everyMs || this.#stopping.signal.aborted) return
    const timer = setTimeout(() => this.wake(name), dueInMs)
    this.#timers.set(name, timer)
  }

  /**
   * One schedule for each interval, whose ticks wake the jobs: a scheduled job could not be kept from being
   * in the queue twice. The worker that takes a tick sets the next one by its own clock: one whose clock was
   * ahead leaves a schedule that stands still.
   */
  async #keepScheduled(): Promise<void> {
    const { jobs, timing: { scheduleLookMs } = TIMING } = this.#options
    const intervals = new Set(jobs.map(({ everyMs }) => everyMs))
    for (let isFirst = true; !this.#stopping.signal.aborted; ) {
      try {
        const known = new Map((await this.#queue.getJobSchedulers()).map(({ key, next }) => [key, next]))
        for (const everyMs of intervals) {
          const next = known.get(TICK + everyMs)
          const isAstray = next !== undefined && next > Date.now() + everyMs + scheduleLookMs
          if (isAstray) await this.#queue.removeJobScheduler(TICK + everyMs)
          if (isFirst || isAstray || next === undefined) await this.#schedule(everyMs)
        }
        isFirst = false
        await this.#pause(scheduleLookMs)
      } catch (error) {
        this.#options.log.warn({ fault: describeFault(error) }, 'the schedule of the jobs could not be written')
        await this.#pause(RETRY_MS)
      }
    }
  }

  #schedule(everyMs: number): Promise<unknown> {
    const name = `${TICK}${everyMs}`
    return this.#queue.upsertJobScheduler(name, { every: everyMs }, { name, opts: REMOVED })
  }

  #pause(ms: number): Promise<void> {
    return delay(ms, undefined, { signal: this.#stopping.signal }).catch(() => {})
  }
}

const REMOVED = { removeOnComplete: true, removeOnFail: true }

// Without an id of ours, BullMQ draws one from a sequence that it creates on demand, and the worker's role
// may not create anything.
function wakeUp(name: string) {
  const deduplication = { id: name, keepLastIfActive: true }
  return { name, data: {}, opts: { ...REMOVED, jobId: randomUUID(), deduplication } }
}

/**
 * Returns a listener for the errors of a queue. The queue refuses the end of a job that it has given to
 * another worker since, or a renewal of its lock. A worker that is short of CPU meets that at every job, so
 * it is counted by `onRefusal` and logged once a minute at most. Other errors are logged each time.
 */
function faultListener(log: Logger, onRefusal: () => void = () => {}): (error: Error) => void {
  let refusals = 0
  let loggedMs = Number.NEGATIVE_INFINITY
  return (error) => {
    if (!isRefusal(error)) {
      log.warn({ fault: describeFault(error) }, 'the queue had a fault')
      return
    }
    onRefusal()
    refusals++
    const now = performance.now()
    if (now - loggedMs < LOG_INTERVAL_MS) return
    log.warn({ refusals }, 'the worker lost jobs to another run: it has too little CPU')
    refusals = 0
    loggedMs = now
  }
}

function isRefusal(error: Error): boolean {
  return REFUSED_RENEWAL.test(error.message) || ('code' in error && REFUSALS.has(error.code))
}
