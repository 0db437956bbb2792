/** The largest amount of a BIGINT column, in micro-units (10⁻⁶). */
export const MAX_AMOUNT_MICROS = 2n ** 63n - 1n

const WIRE_AMOUNT = /^(0|[1-9][0-9]{0,12})\.([0-9]{6})$/

/**
 * Parses an amount from the wire: a decimal string with exactly six fractional digits (spec 2.1). Returns
 * micro-units, or undefined for anything else: signs, exponents, other precisions, more than a BIGINT holds.
 */
export function parseAmount(text: string): bigint | undefined {
  const match = WIRE_AMOUNT.exec(text)
  if (!match) return undefined
  const amountMicros = BigInt(`${match[1]}${match[2]}`)
  return amountMicros <= MAX_AMOUNT_MICROS ? amountMicros : undefined
}

/**
 * Returns micro-units as a wire amount. Throws a RangeError below zero: no amount on the wire is negative.
 */
export function formatAmount(amountMicros: bigint): string {
  if (amountMicros < 0n) throw new RangeError(`an amount cannot be negative: ${amountMicros}`)
  const digits = amountMicros.toString().padStart(7, '0')
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`
}

/** Returns a change of an account: as formatAmount, with a minus for an outflow. */
export function formatChange(amountMicros: bigint): string {
  return amountMicros < 0n ? `-${formatAmount(-amountMicros)}` : formatAmount(amountMicros)
}
