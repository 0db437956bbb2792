import type { Selectable } from 'kysely'
import type { Split } from '../../protocol/split.ts'
import type { Tx } from '../db/pool.ts'
import type { Database } from '../db/schema.ts'
import { demandedStatement } from '../db/statement.ts'

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

const release = demandedStatement(`
  update market.holds set status = 'released', released_payer_micros = $2, released_payee_micros = $3,
    released_fee_micros = $4, release_tx = $5, settled_at = case when $5::text is not null then market.now() end
  where id = $1 and status = 'held'`)

/**
 * Moves a hold from held to released, with its distribution and, where the chain has made it, the transaction that shows
 * it. It happens once: the transaction fails where that was done before. It is not waited for.
 */
export async function releaseHold(tx: Tx, hold: HoldRow, split: Split, releaseTx: string | null = null): Promise<void> {
  const { payerMicros, payeeMicros, feeMicros } = split
  const values = [hold.id, payerMicros, payeeMicros, feeMicros, releaseTx]
  await release(tx, values, () => new Error(`hold ${hold.id} was released before`))
}
