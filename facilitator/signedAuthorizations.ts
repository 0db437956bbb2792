import type { Hex } from 'viem'
import type { PayoutAuthorization } from './store.ts'

const DAY_SECONDS = 86_400n

/** An authorization and when it was signed, in chain time (unix seconds). */
interface Signed {
  authorization: PayoutAuthorization
  signedAt: bigint
}

/**
 * The authorizations the hot wallet has signed since the process started. The database file is the record; this is a
 * second one in case rows of the file are deleted: no second leg is signed for a deposit that is still being paid out,
 * and the daily limit does not restart.
 */
export class SignedAuthorizations {
  #signed: Signed[] = []

  /** Adds an authorization, and removes those that neither rule needs any more. */
  add(authorization: PayoutAuthorization, now: bigint): void {
    const isKept = ({ signedAt, authorization: { validBefore } }: Signed) =>
      signedAt + DAY_SECONDS > now || validBefore > now
    this.#signed = [...this.#signed.filter(isKept), { authorization, signedAt: now }]
  }

  /** Returns the authorizations signed under a nonce. */
  under(nonce: Hex): PayoutAuthorization[] {
    return this.all().filter((authorization) => authorization.nonce === nonce)
  }

  /** Returns all stored authorizations. */
  all(): PayoutAuthorization[] {
    return this.#signed.map(({ authorization }) => authorization)
  }

  /**
   * Returns what was signed for payees in the last 24 hours under other nonces, each nonce counted once; micro-units.
   */
  payeeMicros(exceptNonce: Hex, now: bigint): bigint {
    const largest = new Map<Hex, bigint>()
    for (const { authorization, signedAt } of this.#signed) {
      const { nonce, leg, amountMicros } = authorization
      if (leg !== 'payee' || nonce === exceptNonce || signedAt + DAY_SECONDS <= now) continue
      largest.set(nonce, amountMicros > (largest.get(nonce) ?? 0n) ? amountMicros : (largest.get(nonce) ?? 0n))
    }
    return largest.values().reduce((sum, micros) => sum + micros, 0n)
  }
}
