import { ErrorCode } from 'bullmq'
import type { Logger } from 'pino'
import { describeFault } from '../../faults.ts'

const LOG_INTERVAL_MS = 60_000
const REFUSALS: ReadonlySet<unknown> = new Set([
  ErrorCode.JobNotExist,
  ErrorCode.JobLockNotExist,
  ErrorCode.JobNotInState,
  ErrorCode.JobLockMismatch,
])
// BullMQ gives this error no code.
const REFUSED_RENEWAL = /^could not renew lock for job /

/**
 * Returns a listener for the errors of a queue. The queue refuses the end of a job that it has given to
 * another worker since, or a renewal of its lock. A worker that is short of CPU meets that at every job, so
 * it is counted by `onRefusal` and logged once a minute at most. Other errors are logged each time.
 */
export function faultListener(log: Logger, onRefusal: () => void = () => {}): (error: Error) => void {
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
