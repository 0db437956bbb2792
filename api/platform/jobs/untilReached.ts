import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { describeFault, isOutage } from '../../faults.ts'

const RETRY_MS = 1_000

/**
 * Repeats what a process needs before it can work until its database and its node can be reached, and returns
 * it. Logs each wait, and calls `onWait` before it. Returns undefined if the process is stopped before;
 * throws any error that is no outage.
 */
export async function untilReached<Value>(
  reach: () => Promise<Value>,
  { log, stop, onWait = () => {} }: { log: Logger; stop: AbortSignal; onWait?: () => void },
): Promise<Value | undefined> {
  while (!stop.aborted) {
    try {
      return await reach()
    } catch (error) {
      if (!isOutage(error)) throw error
      log.warn({ fault: describeFault(error) }, 'waiting for the database')
      onWait()
      await delay(RETRY_MS, undefined, { signal: stop }).catch(() => {})
    }
  }
  return undefined
}

/**
 * Waits for a check that a database or a node must pass if it can be reached. Throws any error that is no
 * outage.
 */
export async function ifReached(check: Promise<unknown>): Promise<void> {
  await check.catch((error: unknown) => {
    if (!isOutage(error)) throw error
  })
}
