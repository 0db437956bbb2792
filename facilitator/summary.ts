import { BaseError } from 'viem'

/** An error in one line for the log. Never the whole of it: the RPC's address may hold a key. */
export function summary(error: unknown): string {
  if (error instanceof BaseError) return error.shortMessage
  return error instanceof Error ? error.message : 'unknown'
}
