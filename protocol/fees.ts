import { type Address, isAddress } from 'viem'
import { z } from 'zod'

const address = z
  .custom<Address>((value) => typeof value === 'string' && isAddress(value), 'must be a checksummed address')
  .meta({ type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' })

/** What the service takes of what a seller is paid, in hundredths of a percent, of orders placed from an instant on. */
export interface FeeRate {
  from: Date
  feeBps: number
}

// By their instants: of two texts for moments of one second the later need not come after the earlier.
function isInOrder(rates: readonly { from: string }[]): boolean {
  const instants = rates.map(({ from }) => Date.parse(from))
  return instants.every((instant, place) => place === 0 || instant > (instants[place - 1] ?? 0))
}

/**
 * The fees of custodied orders, past, present and announced, as the list is signed. An order has the fee of when it was
 * placed. Rates that were in force stay in the list: two signed lists that differ about the past prove that one is false.
 */
export const feeSchedule = z.strictObject({
  type: z.literal('market:fees'),
  /** eip155:<chain id> */
  network: z.string(),
  hot_wallet: address,
  /** For how long after its placement an order's payment is valid on chain. */
  payment_window_seconds: z.int().min(0),
  /** In the order of time. */
  rates: z
    .array(z.strictObject({ from: z.iso.datetime(), fee_bps: z.int().min(0).max(10_000) }))
    .min(1)
    .refine(isInOrder, { message: 'must be in the order of time' }),
})

export type FeeSchedule = z.infer<typeof feeSchedule>

/** The list as it is published: with the service's Ed25519 signature over its canonical JSON (RFC 8785). */
export const signedFeeSchedule = z.object({ document: feeSchedule, key_id: z.string(), signature: z.string() })

export type SignedFeeSchedule = z.infer<typeof signedFeeSchedule>

/** The rates that a list has. */
export function ratesOf({ rates }: FeeSchedule): FeeRate[] {
  return rates.map(({ from, fee_bps }) => ({ from: new Date(from), feeBps: fee_bps }))
}

/** The fee of an order placed at an instant, in hundredths of a percent. Throws where no rate was in force yet. */
export function feeAt(rates: readonly FeeRate[], instant: Date): number {
  const rate = rates.findLast(({ from }) => from <= instant)
  if (!rate) throw new Error(`no fee was in force at ${instant.toISOString()}`)
  return rate.feeBps
}
