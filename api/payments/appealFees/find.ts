import type { Selectable } from 'kysely'
import type { Database } from '../../platform/db/generated/tables.ts'
import type { Db, Tx } from '../../platform/db/pool.ts'
import type { OrderRow } from '../escrow/escrowOrder.ts'
import { lockEscrowOrder } from '../escrow/queries.ts'
import type { BookedFee } from '../ledger/appealFees.ts'

/** The fee of an appeal, as stored. */
export type AppealFeeRow = Selectable<Database['market.appeal_fees']>

/** A fee, and the order of its dispute, both locked. */
export interface LockedFee {
  fee: AppealFeeRow
  order: OrderRow
}

/** Returns the fee with this nonce and its order, or undefined. The order is locked first, as by every change. */
export async function lockFeeWithNonce(tx: Tx, nonce: string): Promise<LockedFee | undefined> {
  const fees = tx.selectFrom('market.appeal_fees').selectAll().where('nonce', '=', nonce)
  const found = await fees.executeTakeFirst()
  if (!found) return undefined
  const order = await lockEscrowOrder(tx, found.order_id)
  if (!order) throw new Error(`fee ${found.id} has no order`)
  return { fee: await fees.forNoKeyUpdate().executeTakeFirstOrThrow(), order: order.row }
}

/** Returns the fees of a dispute's appeals, the first one first. Its order must be locked by whoever changes one. */
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
