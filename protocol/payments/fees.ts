import { z } from 'zod'
import { addressText } from '../encoding/hex.ts'

/** The highest rate that the contract takes in terms, in hundredths of a percent. */
export const MAX_FEE_BPS = 1_000

/**
 * The service's fee on a seller's price, in hundredths of a percent, for orders placed from an instant on.
 */
export interface FeeRate {
  from: Date
  feeBps: number
}

// Compares instants, since texts of different precision do not sort by time.
function isInOrder(rates: readonly { from: string }[]): boolean {
  const instants = rates.map(({ from }) => Date.parse(from))
  return instants.every((instant, place) => place === 0 || instant > (instants[place - 1] ?? 0))
}

/**
 * The fees of custodied orders, past, present and announced, in the signed form. An order has the fee of its
 * placement time. Past rates stay in the list: two signed lists that differ about the past prove that one is
 * false.
 */
export const feeSchedule = z.looseObject({
  type: z.literal('market:fees'),
  /** eip155:<chain id> */
  network: z.string(),
  hot_wallet: addressText,
  /** How long after its placement an order's payment is valid on chain. */
  payment_window_seconds: z.int().min(0),
  /** Ordered by time. */
  rates: z
    .array(z.looseObject({ from: z.iso.datetime(), fee_bps: z.int().min(0).max(MAX_FEE_BPS) }))
    .min(1)
    .refine(isInOrder, { message: 'must be in the order of time' }),
})

export type FeeSchedule = z.infer<typeof feeSchedule>

/** The published list: with the service's Ed25519 signature over its canonical JSON (RFC 8785). */
export const signedFeeSchedule = z.object({ document: feeSchedule, key_id: z.string(), signature: z.string() })

export type SignedFeeSchedule = z.infer<typeof signedFeeSchedule>

/** Returns the rates of a list. */
export function ratesOf({ rates }: FeeSchedule): FeeRate[] {
  return rates.map(({ from, fee_bps }) => ({ from: new Date(from), feeBps: fee_bps }))
}

/** Throws an Error for a rate that the contract would not take: no order under it could be funded. */
export function requireWithinCap(rates: readonly FeeRate[]): void {
  const above = rates.find(({ feeBps }) => feeBps > MAX_FEE_BPS)
  if (above)
    throw new Error(`the fee of ${above.feeBps} hundredths of a percent is above the contract's cap, ${MAX_FEE_BPS}`)
}

/**
 * Returns the fee of an order placed at an instant, in hundredths of a percent. Throws if no rate was in
 * force yet.
 */
export function feeAt(rates: readonly FeeRate[], instant: Date): number {
  const rate = rates.findLast(({ from }) => from <= instant)
  if (!rate) throw new Error(`no fee was in force at ${instant.toISOString()}`)
  return rate.feeBps
}
