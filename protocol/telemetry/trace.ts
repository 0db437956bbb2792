import { AsyncLocalStorage } from 'node:async_hooks'
import { readTraceparent, type TraceParts, writeTraceparent } from './traceparent.ts'

const current = new AsyncLocalStorage<TraceParts | undefined>()

/**
 * Runs work in the trace that a header or a row names, or in none if the value is not a `traceparent`. A trace is
 * telemetry: anybody can name any, so nothing else may depend on it.
 */
export function inTrace<Answer>(traceparent: unknown, work: () => Answer): Answer {
  return current.run(readTraceparent(traceparent), work)
}

/** Returns the `traceparent` of the running work, to store with what follows from it; null outside any trace. */
export function currentTraceparent(): string | null {
  const parts = current.getStore()
  return parts === undefined ? null : writeTraceparent(parts)
}
