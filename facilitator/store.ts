import type { Address, Hex } from 'viem'
import type { PayoutLeg } from '../protocol/nonces.ts'
import type { Session } from './session.ts'

/** An intent that nobody has closed and we have not ended. Its payload is unchecked. */
export interface OpenIntent {
  id: string
  payload: unknown
}

/** A signed transaction on file. */
export interface StoredTransaction {
  hash: Hex
  intentId: string
  signer: Address
  nonce: number
  raw: Hex
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
  leg: PayoutLeg
  validBefore: bigint
  recipient: Address
  amountMicros: bigint
  signature: Hex
}

/** What the facilitator reads and writes. Each method is one statement: committed when it returns. */
export type Store = ReturnType<typeof createStore>

/** The facilitator's tables, through the session that holds its lock. */
export function createStore(session: Session) {
  return {
    /** Open intents, oldest first, without those named. */
    async openIntents(except: readonly string[], limit: number): Promise<OpenIntent[]> {
      const { rows } = await session.query<OpenIntent>(
        `select intent.id, intent.payload from market.intents intent
         where intent.closed_at is null and intent.id <> all ($1)
           and not exists (select from facilitator.outcomes outcome where outcome.intent_id = intent.id)
         order by intent.id limit $2`,
        [except, limit],
      )
      return rows
    },

    async transactionsOf(intentId: string): Promise<StoredTransaction[]> {
      const { rows } = await session.query<TransactionRow>(
        'select * from facilitator.transactions where intent_id = $1 order by nonce',
        [intentId],
      )
      return rows.map(toTransaction)
    },

    /** A signer's transactions from a nonce on, in the order they were signed. */
    async transactionsFrom(signer: Address, nonce: number): Promise<StoredTransaction[]> {
      const { rows } = await session.query<TransactionRow>(
        'select * from facilitator.transactions where signer = $1 and nonce >= $2 order by nonce, created_at',
        [signer.toLowerCase(), nonce],
      )
      return rows.map(toTransaction)
    },

    async recordTransaction({ hash, intentId, signer, nonce, raw }: StoredTransaction): Promise<void> {
      await session.query(
        'insert into facilitator.transactions (hash, intent_id, signer, nonce, raw) values ($1, $2, $3, $4, $5)',
        [hash, intentId, signer.toLowerCase(), nonce, raw],
      )
    },

    async recordOutcome(intentId: string, { status, reason, txHash }: Outcome): Promise<void> {
      await session.query(
        `insert into facilitator.outcomes (intent_id, status, reason, tx_hash) values ($1, $2, $3, $4)
         on conflict (intent_id) do nothing`,
        [intentId, status, reason, txHash],
      )
    },

    /** Everything signed under a payout's nonce, the longest valid first. */
    async payoutAuthorizations(nonce: Hex): Promise<PayoutAuthorization[]> {
      const { rows } = await session.query<AuthorizationRow>(
        'select * from facilitator.authorizations where nonce = $1 order by valid_before desc',
        [nonce],
      )
      return rows.map(toAuthorization)
    },

    /**
     * Records an authorization before it is used. False, and nothing recorded, when what was signed for payees in the
     * last 24 hours (each nonce once) would exceed `dailyMicros` with it. Refunds do not count: whoever pays us and is
     * refunded, again and again, must not use up what sellers are paid from.
     */
    async recordPayoutAuthorization(signed: PayoutAuthorization, dailyMicros: bigint): Promise<boolean> {
      const { nonce, leg, validBefore, recipient, amountMicros, signature } = signed
      const { rowCount } = await session.query(
        `insert into facilitator.authorizations (nonce, leg, valid_before, recipient, amount_micros, signature)
         select $1, $2, $3::bigint, $4, $5::bigint, $6
         where $2 = 'payer' or $5::bigint + (
           select coalesce(sum(amount), 0) from (
             select max(amount_micros) as amount from facilitator.authorizations
             where leg = 'payee' and signed_at > clock_timestamp() - interval '24 hours' and nonce <> $1
             group by nonce) signed
         ) <= $7::bigint`,
        [nonce, leg, validBefore, recipient.toLowerCase(), amountMicros, signature, dailyMicros],
      )
      return rowCount === 1
    },

    async beat(): Promise<void> {
      await session.query(
        `insert into facilitator.heartbeat (singleton, beat_at) values (true, clock_timestamp())
         on conflict (singleton) do update set beat_at = excluded.beat_at`,
      )
    },
  }
}

interface TransactionRow {
  hash: Hex
  intent_id: string
  signer: Address
  nonce: string
  raw: Hex
}

interface AuthorizationRow {
  nonce: Hex
  leg: PayoutLeg
  valid_before: string
  recipient: Address
  amount_micros: string
  signature: Hex
}

function toTransaction(row: TransactionRow): StoredTransaction {
  return { hash: row.hash, intentId: row.intent_id, signer: row.signer, nonce: Number(row.nonce), raw: row.raw }
}

function toAuthorization(row: AuthorizationRow): PayoutAuthorization {
  return {
    nonce: row.nonce,
    leg: row.leg,
    validBefore: BigInt(row.valid_before),
    recipient: row.recipient,
    amountMicros: BigInt(row.amount_micros),
    signature: row.signature,
  }
}
