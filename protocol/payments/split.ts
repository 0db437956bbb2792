const BPS_SCALE = 10_000n

/** How a whole hold is distributed, in micro-units. The three always sum to the hold. */
export interface Split {
  payerMicros: bigint
  payeeMicros: bigint
  feeMicros: bigint
}

/**
 * Distributes a hold: the payer is refunded `refundMicros`, the service takes floor(bps) of the rest, the
 * seller gets the remainder (spec 3.3). Throws a RangeError if the refund is not within the hold.
 */
export function splitHold(holdMicros: bigint, refundMicros: bigint, feeBps: number): Split {
  if (refundMicros < 0n || refundMicros > holdMicros) {
    throw new RangeError(`a refund of ${refundMicros} is not within a hold of ${holdMicros}`)
  }
  const paidMicros = holdMicros - refundMicros
  const feeMicros = (paidMicros * BigInt(feeBps)) / BPS_SCALE
  return { payerMicros: refundMicros, payeeMicros: paidMicros - feeMicros, feeMicros }
}
