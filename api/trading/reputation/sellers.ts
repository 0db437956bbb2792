import { sql } from 'kysely'
import type { Tx } from '../../platform/db/pool.ts'
import { type Sums, standingOf } from './internal/read.ts'
import { toSeller } from './internal/wire.ts'
import type { SellerBody } from './schemas.ts'

/**
 * Returns the names of sellers and the main figures of their records, by their ids: one statement for all of
 * them.
 */
export async function readSellers(
  tx: Tx,
  sellerIds: readonly string[],
  alphaBps: bigint,
): Promise<(sellerId: string) => SellerBody> {
  const { rows } = await sql<Sums & { id: string; display_name: string }>`
    select seller.id, seller.display_name, coalesce(receipts, 0) as receipts, coalesce(weighted_stars, 0) as weighted_stars,
      coalesce(rated_weight, 0) as rated_weight, coalesce(lost_weight, 0) as lost_weight,
      coalesce(completed_weight, 0) as completed_weight, coalesce(volume_micros, 0) as volume_micros
    from unnest(${[...new Set(sellerIds)]}::uuid[]) asked (id) join market.agents seller on seller.id = asked.id
      left join market.reputation_totals total on total.subject_id = seller.id`.execute(tx)
  const sellers = new Map(
    rows.map(({ id, display_name, ...sums }) => [id, toSeller(display_name, standingOf(sums), alphaBps)]),
  )
  return (sellerId) => {
    const seller = sellers.get(sellerId)
    if (!seller) throw new Error(`no agent ${sellerId}`)
    return seller
  }
}
