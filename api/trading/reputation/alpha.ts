import type { MarketRules } from '../../context.ts'

const BPS = 10_000

/** Returns how much lost disputes count, in hundredths of a percent. */
export function alphaBpsOf({ reputationAlpha }: Pick<MarketRules, 'reputationAlpha'>): bigint {
  return BigInt(Math.round(reputationAlpha * BPS))
}
