import type pg from 'pg'
import { BaseError } from 'viem'
import { withSession } from '../../../protocol/environment/session.ts'

/** How long one check may take. */
export const LIMIT_MS = 5_000

/** What is wrong, and what to do about it. Neither contains a secret. */
export interface Fault {
  fault: string
  cure: string
}

/** One look at the environment. */
export interface Check {
  name: string
  /** What to do if the check fails by an error, or does not end. */
  cure: string
  /** Returns the faults that it finds. What still goes on when the signal aborts is given up. */
  find: (signal: AbortSignal) => Promise<Fault[]>
}

/** The result of a check: without faults, all is well. */
export interface Finding {
  check: string
  faults: Fault[]
  /** Whether the check did not end in time. */
  hung: boolean
}

/** Runs a check. One that fails, or takes longer than the limit, is a fault itself. */
export async function runCheck({ name, cure, find }: Check, limitMs = LIMIT_MS): Promise<Finding> {
  const limit = new AbortController()
  const { promise: ended, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => {
    resolve(undefined)
    limit.abort()
  }, limitMs)
  try {
    const faults = await Promise.race([find(limit.signal), ended])
    if (faults) return { check: name, faults, hung: false }
    return { check: name, faults: [{ fault: `no answer within ${limitMs / 1_000} seconds`, cure }], hung: true }
  } catch (error) {
    return { check: name, faults: [{ fault: reasonOf(error), cure }], hung: false }
  } finally {
    clearTimeout(timer)
  }
}

/** Returns why something failed, without the addresses that it used: they may contain a secret. */
export function reasonOf(error: unknown): string {
  if (error instanceof BaseError) return error.shortMessage
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0])
  if (!(error instanceof Error)) return 'unknown error'
  if (error.message === 'fetch failed' && error.cause !== undefined) return reasonOf(error.cause)
  const { code } = error as NodeJS.ErrnoException
  return error.message === '' ? (code ?? error.name) : error.message
}

/** Lends a session of a database to a check. Throws as withSession. */
export function inSession<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  return withSession(url, { name: 'market-doctor', limitMs: LIMIT_MS }, work)
}
