import { DatabaseError } from 'pg'
import { BaseError, HttpRequestError, TimeoutError } from 'viem'

const CONNECTION_CODES = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'],
])
// The messages of pg and its pool, which have no code.
const CONNECTION_MESSAGES =
  /^Connection terminated|^Query read timeout$|is not queryable$|timeout exceeded when trying to connect|^timeout expired$/
// Postgres: connection exceptions, too many connections, shutting down or starting up; a timeout that the
// login sets for idle transactions, locks or statements; a session that was led to a standby.
const OUTAGE_SQLSTATE = /^(08|53300|57P0|25P03|55P03|57014|25006|55000)/
const FOREIGN_KEY_VIOLATION = '23503'

/**
 * An error in a form that may be logged. The messages of databases and RPC nodes are left out: they quote
 * values, and keys in URLs.
 */
export interface Fault {
  name: string
  message?: string
  code?: string
  constraint?: string
  table?: string
  stack?: string[]
  cause?: Fault
}

/** Describes an error without the values it contains. */
export function describeFault(error: unknown): Fault {
  if (!(error instanceof Error)) return { name: typeof error }
  const stack = (error.stack ?? '')
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .map((line) => line.trim())
  if (error instanceof DatabaseError) {
    const { code, constraint, table } = error
    return {
      name: 'DatabaseError',
      ...(code && { code }),
      ...(constraint && { constraint }),
      ...(table && { table }),
      stack,
    }
  }
  const message = error instanceof BaseError ? error.shortMessage : error.message
  const cause = error.cause === undefined || error instanceof BaseError ? {} : { cause: describeFault(error.cause) }
  return { name: error.name, message, stack, ...cause }
}

/** Returns whether the database refused to delete a row because others refer to it. */
export function isStillReferenced(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === FOREIGN_KEY_VIOLATION
}

/**
 * Returns whether the database or the node could not be reached, as opposed to having returned something
 * unexpected.
 */
export function isOutage(error: unknown): boolean {
  if (error instanceof BaseError)
    return error.walk((cause) => cause instanceof HttpRequestError || cause instanceof TimeoutError) !== null
  if (error instanceof AggregateError) return error.errors.some(isOutage)
  if (!(error instanceof Error)) return false
  if (CONNECTION_MESSAGES.test(error.message)) return true
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return CONNECTION_CODES.has(code) || OUTAGE_SQLSTATE.test(code)
}
