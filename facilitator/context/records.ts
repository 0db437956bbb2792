import type { Address, Hex } from 'viem'
import type { IntentPayload } from '../../protocol/payments/intents.ts'
import type { PayoutLeg } from '../../protocol/payments/nonces.ts'

/** An intent that is neither closed by the service nor ended by us. Its payload is not yet validated. */
export interface OpenIntent {
  id: string
  /** The owner whose daily gas a payment is charged to; null for an intent that pays a debt of ours. */
  ownerId: string | null
  /** Its kind by its row; the payload is checked by itself. */
  kind: string
  payload: unknown
  /** The trace of the request that wants it. */
  traceparent: string | null
  /** The transactions sent for it. */
  transactions: StoredTransaction[]
  /** The transactions sent for earlier attempts to pay the same order. */
  formerTransactions: StoredTransaction[]
}

/** A signed transaction on file. */
export interface StoredTransaction {
  hash: Hex
  /** Null for a no-op. */
  intentId: string | null
  signer: Address
  nonce: number
  raw: Hex
  /** The chain refuses its call from this second on (unix). */
  validBefore: bigint | null
  /** The owner whose day `chargedWei` is charged to. */
  ownerId: string | null
  chargedWei: bigint
}

/**
 * How an intent ended. 'failed': the chain refuses it permanently. 'refused': our own checks or limits do.
 */
export interface Outcome {
  status: 'confirmed' | 'failed' | 'refused'
  reason: string | null
  txHash: Hex | null
}

/** An EIP-3009 authorization the hot wallet has signed. It can be used until `validBefore` (unix seconds). */
export interface PayoutAuthorization {
  nonce: Hex
  leg: PayoutLeg | 'sweep'
  validBefore: bigint
  recipient: Address
  amountMicros: bigint
  signature: Hex
}

/** The payer of a distribution, and its seller; empty where no seller is named. */
export interface Parties {
  payer: string
  payee: string
}

/** The filter for open intents. */
export interface WantedIntents {
  except: readonly string[]
  kinds: readonly IntentPayload['kind'][]
  underWay: readonly string[]
  limit: number
}

/**
 * A record of something that the facilitator saw without proof: the time when it first saw it, and the time
 * from which it acts on it (unix seconds). Both times are equal if the day's sum had room; the amount then
 * counts against that sum.
 */
export interface FirstSight {
  subject: Hex
  /**
   * The parties of the distribution, as the day's sum counts them. Null in rows of 1.0.0-rc.1, and for
   * wallets.
   */
  parties: Parties | null
  /** Whether it was only announced. A row of the same subject says what was decided when it was requested. */
  isAnnounced: boolean
  payerMicros: bigint
  payeeMicros: bigint
  seenAt: bigint
  dueAt: bigint
  /**
   * The hot wallet's signature of the members: someone who can write to the file still cannot backdate a
   * first sight.
   */
  signature: Hex
}

/**
 * A record that a wallet was seen bound to an owner: the chain's time of that, and the time from which it
 * counts (unix seconds). Addresses are in lower case.
 */
export interface WalletSight {
  ownerId: string
  wallet: Address
  /** The earlier wallet of the owner that vouched for this one. */
  from: Address | null
  seenAt: bigint
  dueAt: bigint
  /** The hot wallet's signature of the other members. */
  signature: Hex
}
