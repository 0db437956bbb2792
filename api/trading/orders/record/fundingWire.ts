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

/** What money that arrived, and is no hold, means to the buyer. */
const ARRIVED = {
  arrived:
    'Money for this order has arrived from a wallet that signed nothing here. Fund the order with the signature of that wallet.',
  adopting:
    'The payment went past the contract, which makes it the hold of this order after a delay. Do not pay a second time.',
  returning: 'The payment does not fund this order, and is on its way back to its payer.',
  returned: 'The payment did not fund this order, and went back to its payer.',
  kept: 'Nothing says who sent this money, so it is kept apart. Ask the operator to return it.',
} as const

const ADVICE: Record<string, string> = {
  insufficient_balance: 'The paying wallet holds less than the price. Fill it up, then pay again.',
  [NONCE_USED]: 'The authorization was used or cancelled at the token. Place a new order, or sign with another nonce.',
  authorization_expired: 'The authorization ended before it could be submitted. Sign again.',
  signature_invalid: 'The token does not accept the signature any more. Sign again.',
  blacklisted: 'The token refuses this wallet. Pay from another one.',
  adoption_ended: 'The payment could not become the hold of this order, and is returned. Fund the order again.',
}

/**
 * Returns the state of a signed payment that is on its way, or that failed: with the transaction that was
 * sent for it, and what its payer is to do.
 */
export function toPaymentAttempt({
  state,
  failure,
  txHash,
}: {
  state: 'pending' | 'failed'
  failure: string | null
  txHash: string | null
}) {
  const tx = present({ tx: txHash as Hex | null })
  if (state === 'pending') {
    const detail =
      'The payment is on its way to the chain, and counts once it is confirmed there. Do not sign another one.'
    return { state: 'submitted' as const, detail, ...tx }
  }
  const reason = failure ?? 'reverted'
  return {
    state: 'failed' as const,
    reason,
    detail: ADVICE[reason] ?? 'The chain refused the payment. Pay again.',
    ...tx,
  }
}

/** Returns the state of an order's payment before it becomes a hold, and the advice to its buyer. */
export function toFunding(row: FundingRow, isAwaitingPayment: boolean): z.input<typeof funding> {
  if (row.kind === 'authorization') {
    return toPaymentAttempt(row)
  }
  // A job returns the money that arrived for an ended order.
  const isUndecided = row.status === 'waiting' || row.status === 'adopting'
  const state = isUndecided && !isAwaitingPayment ? 'returning' : STATES[row.status]
  return {
    state,
    detail: ARRIVED[state],
    amount: formatAmount(row.amount_micros),
    tx: row.tx_hash as Hex,
    // A payment that the contract had made a hold is credited in the contract; any other is transferred to
    // the payer.
    ...(row.paymentKind === 'hold' ? { returned_to: 'claimable' as const } : {}),
    ...present({
      until: row.status === 'adopting' && isAwaitingPayment ? (row.adoptable_at?.toISOString() ?? null) : null,
    }),
  }
}
