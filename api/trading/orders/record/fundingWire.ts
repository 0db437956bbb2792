import type { z } from '@hono/zod-openapi'
import type { Hex } from 'viem'
import { formatAmount } from '../../../../protocol/encoding/amounts.ts'
import { NONCE_USED } from '../../../payments/escrow/authorizations.ts'
import type { FundingRow } from '../../../payments/escrow/queries.ts'
import { present } from '../../../platform/http/route/schemas.ts'
import type { funding } from './schemas.ts'

const STATES = {
  waiting: 'arrived',
  matched: 'arrived',
  adopting: 'adopting',
  returning: 'returning',
  returned: 'returned',
  suspense: 'kept',
} as const

const ADVICE: Record<string, string> = {
  insufficient_balance: 'The paying wallet holds less than the price. Fill it up, then fund the order again.',
  [NONCE_USED]: 'The authorization was used or cancelled at the token. Place a new order, or sign with another nonce.',
  authorization_expired: 'The authorization ended before it could be submitted. Sign again.',
  signature_invalid: 'The token does not accept the signature any more. Sign again.',
  blacklisted: 'The token refuses this wallet. Pay from another one.',
  adoption_ended: 'The payment could not become the hold of this order, and is returned. Fund the order again.',
}

/** Returns the state of an order's payment before it becomes a hold, and the advice to its buyer. */
export function toFunding(row: FundingRow, isAwaitingPayment: boolean): z.input<typeof funding> {
  if (row.kind === 'authorization') {
    if (row.state === 'pending') return { state: 'submitted' }
    const reason = row.failure ?? 'reverted'
    return { state: 'failed', reason, detail: ADVICE[reason] ?? 'The chain refused the payment. Fund the order again.' }
  }
  // A job returns the money that arrived for an ended order.
  const isUndecided = row.status === 'waiting' || row.status === 'adopting'
  return {
    state: isUndecided && !isAwaitingPayment ? 'returning' : STATES[row.status],
    amount: formatAmount(row.amount_micros),
    tx: row.tx_hash as Hex,
    // A payment that the contract had made a hold is credited in the contract; any other is transferred to the payer.
    ...(row.paymentKind === 'hold' ? { returned_to: 'claimable' as const } : {}),
    ...present({
      until: row.status === 'adopting' && isAwaitingPayment ? (row.adoptable_at?.toISOString() ?? null) : null,
    }),
  }
}
