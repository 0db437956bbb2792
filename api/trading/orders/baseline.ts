import type { Tx } from '../../platform/db/pool.ts'
import type { OrderRow } from './find.ts'

/**
 * Returns the description that delivery is measured against: that of the ask in the version that was bought (spec 2.5),
 * or that of the bid, which never changes.
 */
export async function readBaseline(tx: Tx, order: OrderRow): Promise<{ description: string }> {
  const { ask_id, ask_version, bid_id } = order
  if (ask_id === null || ask_version === null) {
    return tx.selectFrom('market.bids').select('description').where('id', '=', bid_id).executeTakeFirstOrThrow()
  }
  return tx
    .selectFrom('market.ask_versions')
    .select('description')
    .where('ask_id', '=', ask_id)
    .where('version', '=', ask_version)
    .executeTakeFirstOrThrow()
}
