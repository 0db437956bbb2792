import { type Abi, BaseError, decodeErrorResult, ExecutionRevertedError, type Hex, isHex } from 'viem'
import { escrowAbi } from '../../protocol/generated/escrow.ts'

// The error texts of FiatTokenV2_2.
const TOKEN_REASONS: Record<string, string> = {
  'FiatTokenV2: authorization is used or canceled': 'authorization_used',
  'FiatTokenV2: authorization is expired': 'authorization_expired',
  'FiatTokenV2: authorization is not yet valid': 'authorization_not_yet_valid',
  'FiatTokenV2: invalid signature': 'signature_invalid',
  'ECRecover: invalid signature': 'signature_invalid',
  'ECRecover: invalid signature length': 'signature_invalid',
  "ECRecover: invalid signature 's' value": 'signature_invalid',
  "ECRecover: invalid signature 'v' value": 'signature_invalid',
  'ERC20: transfer amount exceeds balance': 'insufficient_balance',
  'Blacklistable: account is blacklisted': 'blacklisted',
  'Pausable: paused': 'token_paused',
}

// Reverts that time or an operator resolves: the intent itself is valid.
const PASSING = new Set([
  'authorization_not_yet_valid',
  'token_paused',
  'escrow_paused',
  'not_resolver',
  'surplus_exceeded',
  'stray_not_available',
  'stray_already_announced',
])

/** Returns whether a revert is independent of the intent itself, so that it should wait. */
export function isPassing(reason: string): boolean {
  return PASSING.has(reason)
}

/**
 * Returns why the chain refuses a call, as a stable name: one of the token's above, a custom error of the
 * escrow in snake case, or `reverted`. Undefined if the error is no revert, but a failure of the node or the
 * network.
 */
export function revertReason(error: unknown): string | undefined {
  if (!(error instanceof BaseError)) return undefined
  const data = revertData(error)
  if (data) return decode(data)
  return error.walk((cause) => cause instanceof ExecutionRevertedError) ? 'reverted' : undefined
}

function decode(data: Hex): string {
  try {
    // The decoder knows Error(string) and Panic(uint256) besides the escrow's own errors.
    const { errorName, args } = decodeErrorResult({ abi: escrowAbi as Abi, data })
    if (errorName === 'Error') return TOKEN_REASONS[String(args?.[0])] ?? 'reverted'
    return errorName.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase()
  } catch {
    return 'reverted'
  }
}

/** Nodes return the revert's bytes in `data`, or in an object there. */
function revertData(error: BaseError): Hex | undefined {
  let found: Hex | undefined
  error.walk((cause) => {
    const data = (cause as { data?: unknown } | null)?.data
    const bytes = typeof data === 'object' && data !== null ? (data as { data?: unknown }).data : data
    if (isHex(bytes) && bytes !== '0x') found = bytes
    return found !== undefined
  })
  return found
}
