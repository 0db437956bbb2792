import type { Address, Hex } from 'viem'
import type { IntentPayload } from '../protocol/intents.ts'
import type { PayoutLeg } from '../protocol/nonces.ts'
import type { ChainContext } from './context.ts'
import type { Session } from './session.ts'
import { authenticFile } from './store/authenticFile.ts'
import { fileStore } from './store/file.ts'
import { firstSightStore } from './store/firstSights.ts'
import { intentStore } from './store/intents.ts'
import { payoutStore } from './store/payouts.ts'
import { transactionStore } from './store/transactions.ts'

/** An intent that is neither closed by the service nor ended by us. Its payload is not yet validated. */
export interface OpenIntent {
  id: string
  /** The owner whose daily gas it is charged to; null for what we owe. */
  ownerId: string | null
  payload: unknown
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

/** How an intent ended. 'failed': the chain refuses it permanently. 'refused': our own checks or limits do. */
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

/** The filter for open intents. */
export interface WantedIntents {
  except: readonly string[]
  kinds: readonly IntentPayload['kind'][]
  underWay: readonly string[]
  limit: number
}

/** The facilitator's queries. Each method is one statement; a write is committed when it returns. */
export type Store = ReturnType<typeof createStore>

/**
 * Returns access to the facilitator's tables through the session that holds its lease. Transactions that the keys which they
 * name did not sign are omitted with an alarm.
 */
export function createStore(session: Session, context: Pick<ChainContext, 'at' | 'log'>) {
  const file = authenticFile(context)
  return {
    ...intentStore(session, file),
    ...transactionStore(session, file),
    ...payoutStore(session),
    ...fileStore(session),
    ...firstSightStore(session),

    async beat(): Promise<void> {
      await session.write(
        `insert into facilitator.heartbeat (singleton, beat_at)
         select true, clock_timestamp() where (select is_held from lease)
         on conflict (singleton) do update set beat_at = excluded.beat_at`,
        [],
        'insert into facilitator.heartbeat',
      )
    },
  }
}
