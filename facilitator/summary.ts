import { BaseError, InvalidInputRpcError } from 'viem'

/** An error in one line for the log. Never the whole of it: the RPC's address may hold a key. */
export function summary(error: unknown): string {
  if (!(error instanceof BaseError)) return error instanceof Error ? error.message : 'unknown'
  // What is behind this one is told by nothing but the node's own words.
  const refusal = error.walk((cause) => cause instanceof InvalidInputRpcError)
  return refusal instanceof BaseError ? `the node refused the call: ${refusal.details}` : error.shortMessage
}
