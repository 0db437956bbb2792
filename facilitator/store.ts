import type { Address, Hex } from 'viem'
import type { IntentPayload } from '../protocol/intents.ts'
import type { PayoutLeg } from '../protocol/nonces.ts'
import type { Session } from './session.ts'
import { intentStore } from './store/intents.ts'
import { payoutStore } from './store/payouts.ts'
import { transactionStore } from './store/transactions.ts'

/** An intent that nobody has closed and we have not ended. Its payload is unchecked. */
export interface OpenIntent {
  id: string
  /** Whose day its gas counts against; none where it does what we owe. */
  ownerId: string | null
  payload: unknown
  /** What was sent for it. */
  transactions: StoredTransaction[]
  /** What was sent for earlier attempts to pay the same order. */
  formerTransactions: StoredTransaction[]
}

/** A signed transaction on file. */
export interface StoredTransaction {
  hash: Hex
  /** None for a no-op. */
  intentId: string | null
  signer: Address
  nonce: number
  raw: Hex
  /** The chain refuses its call from this second on (unix). */
  validBefore: bigint | null
  /** Who has `chargedGas` counted against their day. */
  ownerId: string | null
  chargedGas: bigint
}

/** How an intent ended. 'failed': the chain refuses it for good. 'refused': our own checks or limits do. */
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

/** Which intents are looked for. */
export interface WantedIntents {
  except: readonly string[]
  kinds: readonly IntentPayload['kind'][]
  underWay: readonly string[]
  limit: number
}

/** What the facilitator reads and writes. Each method is one statement, or one that changes something: committed when it returns. */
export type Store = ReturnType<typeof createStore>

/** The facilitator's tables, through the session that holds its lock. */
export function createStore(session: Session) {
  return {
    ...intentStore(session),
    ...transactionStore(session),
    ...payoutStore(session),

    async beat(): Promise<void> {
      await session.query(
        `insert into facilitator.heartbeat (singleton, beat_at) values (true, clock_timestamp())
         on conflict (singleton) do update set beat_at = excluded.beat_at`,
      )
    },
  }
}
