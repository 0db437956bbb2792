import { type Selectable, sql } from 'kysely'
import type { Hex } from 'viem'
import { appealKey } from '../../../protocol/payments/nonces.ts'
import type { Database } from '../../platform/db/generated/tables.ts'
import type { Db, Tx } from '../../platform/db/pool.ts'
import type { Closing } from '../chain/intents.ts'
import { lockOrderRow, type OrderRow } from '../escrow/queries.ts'
import type { BookedFee } from '../ledger/appealFees.ts'

/** The fee of an appeal, as stored. */
export type AppealFeeRow = Selectable<Database['market.appeal_fees']>

/** A fee, and the order of its dispute, both locked. */
export interface LockedFee {
  fee: AppealFeeRow
  order: OrderRow
}

/**
 * Returns the fee with this nonce and its order, or undefined. The order is locked first, as by every change.
 */
export async function lockFeeWithNonce(tx: Tx, nonce: string): Promise<LockedFee | undefined> {
  const fees = tx.selectFrom('market.appeal_fees').selectAll().where('nonce', '=', nonce)
  const found = await fees.executeTakeFirst()
  if (!found) return undefined
  const order = await lockOrderRow(tx, found.order_id)
  if (!order) throw new Error(`fee ${found.id} has no order`)
  return { fee: await fees.forNoKeyUpdate().executeTakeFirstOrThrow(), order }
}

/**
 * Returns the fees of a dispute's appeals, the first one first. A caller that changes one must have locked
 * the order.
 */
export async function feesOf(tx: Db | Tx, disputeId: string): Promise<AppealFeeRow[]> {
  return tx
    .selectFrom('market.appeal_fees')
    .selectAll()
    .where('dispute_id', '=', disputeId)
    .orderBy('offered_at')
    .orderBy('id')
    .execute()
}

/** Returns the fee that an authorization was filed for, or undefined. */
export async function feeFiledFor(
  db: Db | Tx,
  { payer, nonce }: { payer: string; nonce: string },
): Promise<AppealFeeRow | undefined> {
  return db
    .selectFrom('market.authorizations as filed')
    .innerJoin('market.appeal_fees as fee', 'fee.id', 'filed.appeal_fee_id')
    .selectAll('fee')
    .where('filed.payer', '=', payer)
    .where('filed.nonce', '=', nonce)
    .executeTakeFirst()
}

/** Returns a fee as its postings name it. */
export function bookedFee({ id, dispute_id: disputeId, amount_micros: amountMicros }: AppealFeeRow): BookedFee {
  return { id, disputeId, amountMicros }
}

/**
 * Returns the keys of the appeals whose fee was paid, in the order in which they were offered, after one of
 * them.
 */
export async function listAppealKeys(
  tx: Tx,
  { from, limit }: { from: string | undefined; limit: number },
): Promise<{ id: string; appeal: Hex }[]> {
  const fees = await tx
    .selectFrom('market.appeal_fees')
    .select(['id', 'dispute_id', 'agent_id'])
    .where('payer', 'is not', null)
    .$if(from !== undefined, (query) => query.where('id', '>', from ?? ''))
    .orderBy('id')
    .limit(limit)
    .execute()
  return fees.map(({ id, dispute_id: disputeId, agent_id: appellantId }) => ({
    id,
    appeal: appealKey({ disputeId, appellantId }),
  }))
}

/** Returns the key of the intent that submits an authorization of a fee. Attempts count from 1. */
export function feeIntentKey(feeId: string, attempt: number): string {
  return `deposit:${feeId}:${attempt}`
}

/** Closes the open intents that were to pay a fee. */
export async function closeFeeIntents(tx: Tx, feeId: string, closing: Closing): Promise<void> {
  await sql`update market.intents set closed_at = market.now(), closing = ${closing}
    where closed_at is null and key in (
      select 'deposit:' || appeal_fee_id || ':' || attempt from market.authorizations
      where appeal_fee_id = ${feeId})`.execute(tx)
}

/** Returns the keys of the intents that made a payment of a fee: none if the payment is not of a fee. */
export async function intentsOfFeePayment(tx: Tx, payer: string, nonce: string): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select distinct intent.key from market.authorizations filed
    join market.intents intent on intent.key = 'deposit:' || filed.appeal_fee_id || ':' || filed.attempt
    where filed.payer = ${payer} and filed.nonce = ${nonce} and filed.appeal_fee_id is not null
      and intent.closing = 'settled'`.execute(tx)
  return rows.map(({ key }) => key)
}
