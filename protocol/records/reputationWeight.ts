const UNIT_MICROS = 1_000_000n
const DIGITS = 24
const SHIFT = 30n
const LOG2_UNIT = 334_396_231n
// ln 2 in billionths, over 1,000 and 2^24 to come to millionths.
const LN2_BILLIONTHS = 693_147_181n
const DIVISOR = 16_777_216_000n

/**
 * Returns the weight of an order of so many micro-units in millionths: log(1 + cost), by integers alone, so
 * that everyone gets the same bits (spec 8.1). The schema has the same function in SQL,
 * `market.reputation_weight`.
 */
export function reputationWeight(costMicros: bigint): bigint {
  const n = UNIT_MICROS + costMicros
  const k = BigInt(n.toString(2).length - 1)
  let m = k > SHIFT ? n >> (k - SHIFT) : n << (SHIFT - k)
  let fraction = 0n
  for (let digit = 0; digit < DIGITS; digit++) {
    m = (m * m) >> SHIFT
    fraction <<= 1n
    if (m >= 1n << (SHIFT + 1n)) {
      m >>= 1n
      fraction |= 1n
    }
  }
  return ((((k << BigInt(DIGITS)) | fraction) - LOG2_UNIT) * LN2_BILLIONTHS) / DIVISOR
}
