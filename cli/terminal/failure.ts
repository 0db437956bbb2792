import { BaseError } from 'viem'
import { z } from 'zod'
import { ApiProblem } from '../../sdk/problem.ts'
import { NetworkFault } from '../../sdk/retry.ts'
import { FAILED, MISUSED, Misuse } from './options.ts'

// The code of Node's error, or the message of a program that ran out of space.
const DISK_FULL = /\bENOSPC\b|no space left on device/i

/**
 * Returns the message of a failed command for its user. For a refusal of the service: its type, its field and
 * a page to read. If the disk is full, the last line says so, because a program's own message may bury it.
 */
export function failureText(error: unknown): string {
  if (error instanceof ApiProblem) return problemText(error)
  const text = textOf(error)
  return DISK_FULL.test(text) ? `${text}\nThe disk is full. Free some space, then run this again.` : text
}

function textOf(error: unknown): string {
  // For an argument: the path of the wrong member, if any, and what it must be.
  if (error instanceof z.ZodError)
    return error.issues.map(({ path, message }) => [...path.map(String), message].join(': ')).join('\n')
  const { code, path } = (error ?? {}) as { code?: unknown; path?: unknown }
  if (code === 'ENOENT' && typeof path === 'string') return `There is no file ${path}.`
  // The whole message has the node's address, which may have a key in it.
  if (error instanceof BaseError) return error.shortMessage
  if (error instanceof NetworkFault) return `${error.message}. Is MARKET_URL right, or ./market up running?`
  if (error instanceof TypeError && error.message === 'fetch failed') {
    const { code: cause } = (error.cause ?? {}) as { code?: string }
    return `The market cannot be reached${cause ? ` (${cause})` : ''}. Is MARKET_URL right, or ./market up running?`
  }
  return error instanceof Error ? error.message : String(error)
}

function problemText({ type, status, message, field }: ApiProblem): string {
  if (type === 'market:error:auth/unauthenticated')
    return `The market knows no such token. Is MARKET_TOKEN right, and not revoked?\n${status} ${type}`
  const [, detail = message] = message.split(/^\d+ \S+: /)
  return `${detail}${field === undefined ? '' : ` (field ${field})`}\n${status} ${type}`
}

/** Returns the exit code of a failed command: 2 for a wrong call, else 1. */
export function failureCode(error: unknown): number {
  const isMisuse =
    error instanceof Misuse ||
    error instanceof z.ZodError ||
    String((error as { code?: unknown })?.code).startsWith('ERR_PARSE_ARGS')
  return isMisuse ? MISUSED : FAILED
}
