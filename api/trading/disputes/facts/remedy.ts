import { parseAmount } from '../../../../protocol/encoding/amounts.ts'
import type { Remedy } from '../../../../protocol/records/verdict.ts'
import type { Party } from '../../orders/record/find.ts'
import type { DisputeFacts } from './disputeFacts.ts'

const BPS_SCALE = 10_000n

/** Returns a share of the price in micro-units, rounded down. */
export function shareOf(priceMicros: bigint, bps: number): bigint {
  return (priceMicros * BigInt(bps)) / BPS_SCALE
}

/**
 * Returns the amounts of the facts in micro-units; an amount that the seller left out is zero, and one that
 * the buyer left out is the price.
 */
export function limitsOf(facts: DisputeFacts): { price: bigint; requested: bigint; offered: bigint } {
  const price = micros(facts.price)
  const { requested_refund: requested, offered_refund: offered } = facts
  return {
    price,
    requested: requested === null ? price : micros(requested),
    offered: offered === null ? 0n : micros(offered),
  }
}

/** The buyer gets no more than it asked for, and no less than the seller offered. */
export function withinLimits(refundMicros: bigint, facts: DisputeFacts): bigint {
  const { requested, offered } = limitsOf(facts)
  if (refundMicros > requested) return requested
  return refundMicros < offered ? offered : refundMicros
}

/** Returns the remedy for a refund: a refund of nothing or of everything is not a partial one (spec 3.3). */
export function remedyOf(priceMicros: bigint, refundMicros: bigint): Remedy {
  if (refundMicros === 0n) return 'release_to_seller'
  return refundMicros === priceMicros ? 'full_refund' : 'partial_refund'
}

/** Returns who won: the side that gets more of the price, at a tie the one that did not open. */
export function winnerOf(priceMicros: bigint, refundMicros: bigint, opener: Party): Party {
  const twice = 2n * refundMicros
  if (twice === priceMicros) return opener === 'buyer' ? 'seller' : 'buyer'
  return twice > priceMicros ? 'buyer' : 'seller'
}

function micros(amount: string): bigint {
  const parsed = parseAmount(amount)
  if (parsed === undefined) throw new Error(`${amount} is no amount`)
  return parsed
}
