import type { Expression, Selectable } from 'kysely'
import type { Split } from '../../protocol/split.ts'
import type { Tx } from '../db/pool.ts'
import type { Database } from '../db/schema.ts'

/** An order's money as its row holds it. */
export type HoldRow = Selectable<Database['market.holds']>

/** The hold of an order, locked. The order's row must be locked before it. Throws where the order was never paid. */
export async function lockHold(tx: Tx, orderId: string): Promise<HoldRow> {
  return tx
    .selectFrom('market.holds')
    .selectAll()
    .where('order_id', '=', orderId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(() => new Error(`order ${orderId} has no hold`))
}

/** Moves a hold from held to released, with its distribution. Throws where that was done before: it happens once. */
export async function releaseHold(
  tx: Tx,
  hold: HoldRow,
  split: Split,
  settled: { release_tx?: string; settled_at?: Expression<Date> } = {},
): Promise<void> {
  await tx
    .updateTable('market.holds')
    .set({
      status: 'released',
      released_payer_micros: split.payerMicros,
      released_payee_micros: split.payeeMicros,
      released_fee_micros: split.feeMicros,
      ...settled,
    })
    .where('id', '=', hold.id)
    .where('status', '=', 'held')
    .returning('id')
    .executeTakeFirstOrThrow(() => new Error(`hold ${hold.id} was released before`))
}
