import { type Expression, sql } from 'kysely'
import type { Tx } from '../../platform/db/pool.ts'

/**
 * The record of a buyer that sellers see: disputes that it lost as a buyer, and open disputes over its
 * purchases.
 */
export interface BuyerRecord {
  disputes_lost: number
  disputes_open: number
}

/** The record of a buyer, as JSON, in a statement that names them. */
export const buyerRecordOf = (buyerId: Expression<unknown>) => sql<BuyerRecord>`jsonb_build_object(
  'disputes_lost', (select count(*) from market.contributions lost where lost.buyer_id = ${buyerId} and lost.loser = 'buyer'),
  'disputes_open', (select count(*) from market.orders bought where bought.buyer_id = ${buyerId} and bought.state = 'disputed'))`

/** Returns the records of buyers, by their ids. */
export async function readBuyerRecords(tx: Tx, buyerIds: readonly string[]): Promise<Map<string, BuyerRecord>> {
  if (buyerIds.length === 0) return new Map()
  const { rows } = await sql<{ id: string; record: BuyerRecord }>`
    select buyer.id, ${buyerRecordOf(sql.ref('buyer.id'))} as record
    from unnest(${[...new Set(buyerIds)]}::uuid[]) buyer (id)`.execute(tx)
  return new Map(rows.map(({ id, record }) => [id, record]))
}
