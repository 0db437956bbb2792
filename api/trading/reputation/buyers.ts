import { sql } from 'kysely'
import type { Tx } from '../../platform/db/pool.ts'

/** What a seller is shown of a buyer: disputes that it lost as a buyer, and those of its purchases that are open. */
export interface BuyerRecord {
  disputes_lost: number
  disputes_open: number
}

/** Returns the records of buyers, by their ids. */
export async function readBuyerRecords(tx: Tx, buyerIds: readonly string[]): Promise<Map<string, BuyerRecord>> {
  if (buyerIds.length === 0) return new Map()
  const { rows } = await sql<BuyerRecord & { id: string }>`
    select buyer.id,
      (select count(*) from market.contributions where buyer_id = buyer.id and loser = 'buyer')::integer as disputes_lost,
      (select count(*) from market.orders bought where bought.buyer_id = buyer.id and bought.state = 'disputed')::integer as disputes_open
    from unnest(${[...new Set(buyerIds)]}::uuid[]) buyer (id)`.execute(tx)
  return new Map(rows.map(({ id, ...record }) => [id, record]))
}
