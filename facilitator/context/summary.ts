import { BaseError, InvalidInputRpcError } from 'viem'

/** Returns an error as one line for the log. Never all of it: the RPC's URL may contain a key. */
export function summary(error: unknown): string {
  if (!(error instanceof BaseError)) return error instanceof Error ? error.message : 'unknown'
  // Only the node's own message shows what caused this error.
  const refusal = error.walk((cause) => cause instanceof InvalidInputRpcError)
  return refusal instanceof BaseError ? `the node refused the call: ${refusal.details}` : error.shortMessage
}
