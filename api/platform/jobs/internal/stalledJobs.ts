import { setTimeout as delay } from 'node:timers/promises'

/** How many times this worker sees whether it is late, from one check to the next. */
const STEPS = 10
/** A worker that stood still for this part of a lock's time may have been unable to renew its locks. */
const LATE_PART = 0.1
/**
 * After this many locks' time without a check, a worker that is always late makes one: a dead worker's jobs
 * must not wait forever.
 */
const LONGEST_PAUSE_LOCKS = 100

export interface StalledJobsOptions {
  /** Gives back each job that was active at the last check and whose lock has expired. */
  recover: () => Promise<unknown>
  onError: (error: Error) => void
  lockMs: number
  /** The time between two checks. */
  lookMs: number
}

/**
 * Gives the jobs of dead workers back to the queue, check after check, until `stop` aborts. A worker makes no
 * check while it is late: with too little CPU it cannot renew its own locks in time. Its check would take its
 * own running jobs from it, their ends would be refused, and it would run them again, with still less CPU for
 * each. The checks after its start are always made: it then holds no job for long, and its predecessor may
 * just have been killed.
 */
export async function recoverStalledJobs(options: StalledJobsOptions, stop: AbortSignal): Promise<void> {
  const { recover, onError, lockMs, lookMs } = options
  const stepMs = lookMs / STEPS
  const startEndsMs = performance.now() + lockMs + 2 * lookMs
  let now = performance.now()
  let checkedMs = now
  let inTimeSinceMs = now
  for (;;) {
    const steppedMs = now
    await delay(stepMs, undefined, { signal: stop }).catch(() => {})
    if (stop.aborted) return
    now = performance.now()
    if (now - steppedMs > stepMs + LATE_PART * lockMs) inTimeSinceMs = now
    const mayCheck =
      now < startEndsMs || now - inTimeSinceMs >= lookMs || now - checkedMs >= LONGEST_PAUSE_LOCKS * lockMs
    if (now - checkedMs < lookMs || !mayCheck) continue
    checkedMs = now
    await recover().catch(onError)
  }
}
