/** Six fractional digits: ratios are integers of millionths. */
export const SCALE = 1_000_000n
const BPS = 10_000n

/** Returns a quotient in millionths, rounded down; 0 if the divisor is 0. */
export function ratio(numerator: bigint, denominator: bigint): bigint {
  return denominator === 0n ? 0n : (numerator * SCALE) / denominator
}

/**
 * Returns the composite score in millionths (spec 8.1): average × (1 − alpha × loss rate), from the published
 * six digits of both, so that anyone can compute it. `alpha` is in hundredths of a percent.
 */
export function composite(averageMicros: bigint, lossRateMicros: bigint, alphaBps: bigint): bigint {
  const one = BPS * SCALE
  return (averageMicros * (one - alphaBps * lossRateMicros)) / one
}
