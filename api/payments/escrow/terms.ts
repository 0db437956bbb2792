import { getAddress, type Hex } from 'viem'
import type { Terms } from '../../../protocol/payments/terms.ts'

/**
 * The values that a contract-mode hold's terms are built from, pinned when payment is requested. Addresses
 * are lowercase.
 */
export interface PinnedTerms {
  order_key: string
  payee: string | null
  price_micros: bigint
  fee_recipient: string
  fee_bps: number
  valid_before: Date
  expires_at: Date
}

/** Returns a database time in the chain's unit: whole unix seconds. */
export function unixSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000)
}

/**
 * Returns the terms of a contract-mode hold. Throws if no payee is pinned: the payment is then for custodied
 * mode.
 */
export function holdTerms(pinned: PinnedTerms): Terms {
  if (pinned.payee === null) throw new Error(`${pinned.order_key} has no payee: it is not in contract mode`)
  return {
    order: pinned.order_key as Hex,
    payee: getAddress(pinned.payee),
    amount: pinned.price_micros,
    feeRecipient: getAddress(pinned.fee_recipient),
    feeBps: pinned.fee_bps,
    fundBy: unixSeconds(pinned.valid_before),
    expiry: unixSeconds(pinned.expires_at),
  }
}
