import type { Hex } from 'viem'
import { type Head, MAX_AHEAD_SECONDS } from '../chain/head.ts'
import type { ChainContext } from '../context/chain.ts'
import type { PayoutAuthorization } from '../context/records.ts'
import { type Place, START } from './fileChain.ts'
import { isNextAfter, type Lease } from './lease.ts'

/**
 * How long an authorization of the hot wallet is valid. Another is signed under its nonce only after that.
 */
export const VALIDITY_SECONDS = 15n * 60n
const DAY_SECONDS = 86_400n

/**
 * The authorizations that the process knows the hot wallet has signed: those read from the file and those
 * added since. They outlive the database session, so the process still knows entries that a restore or a
 * failover removed from the file.
 */
export class SignedAuthorizations {
  #signed = new Map<string, PayoutAuthorization>()
  #lease: Lease | undefined
  #isContinuous = false
  /** The newest entry of the file that this process has read or written. */
  head: Place = START

  /** Notes a lease that was taken. */
  onLease(lease: Lease): void {
    this.#isContinuous &&= this.#lease !== undefined && isNextAfter(this.#lease, lease)
    this.#lease = lease
  }

  /** Whether nobody else can have written the file since `head`. */
  get isContinuous(): boolean {
    return this.#isContinuous
  }

  /** Sets the newest entry of the file: from now on, this process has seen all of it. */
  follow(head: Place): void {
    this.head = head
    this.#isContinuous = true
  }

  /** Adds an authorization, and removes those that no rule needs any more. */
  add(authorization: PayoutAuthorization, at: Moment): void {
    for (const [key, { validBefore }] of this.#signed) if (!isNeeded(validBefore, at)) this.#signed.delete(key)
    this.#signed.set(authorization.signature, authorization)
  }

  /** Returns the authorizations signed under a nonce. */
  under(nonce: Hex): PayoutAuthorization[] {
    return this.all().filter((authorization) => authorization.nonce === nonce)
  }

  /** Returns all authorizations of the last 24 hours, and those that are still valid. */
  all(): PayoutAuthorization[] {
    return [...this.#signed.values()]
  }

  /**
   * Returns the sum signed for payees in the last 24 hours under other nonces, counting each nonce once;
   * micro-units.
   */
  payeeMicros(exceptNonce: Hex, at: Moment): bigint {
    const largest = new Map<Hex, bigint>()
    for (const { nonce, leg, amountMicros, validBefore } of this.#signed.values()) {
      if (leg !== 'payee' || nonce === exceptNonce || !isOfTheDay(validBefore, at)) continue
      largest.set(nonce, amountMicros > (largest.get(nonce) ?? 0n) ? amountMicros : (largest.get(nonce) ?? 0n))
    }
    return largest.values().reduce((sum, micros) => sum + micros, 0n)
  }
}

/** The two times of a head between which it is now. */
export type Moment = Pick<Head, 'earlierTime' | 'laterTime'>

/**
 * Every authorization is valid equally long, so its end says when it was signed. One that was signed by a
 * clock far ahead counts in no day.
 */
function isOfTheDay(validBefore: bigint, { earlierTime, laterTime }: Moment): boolean {
  const signedAt = validBefore - VALIDITY_SECONDS
  return signedAt + DAY_SECONDS > earlierTime && signedAt <= laterTime + MAX_AHEAD_SECONDS
}

function isNeeded(validBefore: bigint, at: Moment): boolean {
  return isOfTheDay(validBefore, at) || validBefore > at.earlierTime
}

/** The dependencies of a facilitator that reads and writes the file. */
export interface FileContext extends ChainContext {
  /** The authorizations that the process knows the hot wallet has signed. */
  signedAuthorizations: SignedAuthorizations
}
