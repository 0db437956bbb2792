import { BaseError } from 'viem'
import { ApiProblem } from '../sdk/problem.ts'
import { FAILED, MISUSED, Misuse } from './people/options.ts'

/** Returns what a failed command tells its user: for what the service refused, its type, its field and where to read on. */
export function failureText(error: unknown): string {
  if (error instanceof ApiProblem) {
    const [, detail = error.message] = error.message.split(/^\d+ \S+: /)
    return `${detail}${error.field === undefined ? '' : ` (field ${error.field})`}\n${error.status} ${error.type}`
  }
  // The whole message has the node's address, which may have a key in it.
  if (error instanceof BaseError) return error.shortMessage
  if (error instanceof TypeError && error.message === 'fetch failed') {
    const { code } = (error.cause ?? {}) as { code?: string }
    return `The market cannot be reached${code ? ` (${code})` : ''}. Is MARKET_URL right, or ./market up running?`
  }
  return error instanceof Error ? error.message : String(error)
}

/** Returns the exit code of a failed command: 2 for a wrong call, else 1. */
export function failureCode(error: unknown): number {
  const isMisuse = error instanceof Misuse || String((error as { code?: unknown })?.code).startsWith('ERR_PARSE_ARGS')
  return isMisuse ? MISUSED : FAILED
}
