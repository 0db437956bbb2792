import type { Selectable } from 'kysely'
import { notFound } from '../../errors.ts'
import type { Tx } from '../../platform/db/pool.ts'
import type { Database } from '../../platform/db/schema.ts'
import type { CheckResult } from '../criteria/results.ts'

/** A delivery as stored. */
export type DeliveryRow = Selectable<Database['market.deliveries']>

/**
 * Returns a delivery of an order that the agent is a party of, and whether the agent may read its bytes: a buyer may
 * once a notice has delivered it. Throws the uniform 404 for anyone else, and if there is no such delivery.
 */
export async function findDelivery(
  tx: Tx,
  agentId: string,
  deliveryId: string,
): Promise<{ delivery: DeliveryRow; mayDownload: boolean }> {
  const found = await tx
    .selectFrom('market.deliveries as delivery')
    .innerJoin('market.orders as order', 'order.id', 'delivery.order_id')
    .selectAll('delivery')
    .select(['order.buyer_id', 'order.seller_id'])
    .where('delivery.id', '=', deliveryId)
    .executeTakeFirst()
  if (!found || (found.buyer_id !== agentId && found.seller_id !== agentId)) throw notFound('delivery')
  return { delivery: found, mayDownload: found.seller_id === agentId || found.message_id !== null }
}

/** Returns what the checks of an order's criteria found in an upload, or null if none were made. */
export async function findChecks(tx: Tx, deliveryId: string): Promise<CheckResult[] | null> {
  const found = tx.selectFrom('market.delivery_checks').select('results').where('delivery_id', '=', deliveryId)
  // Only checkDeliveries writes them.
  return ((await found.executeTakeFirst())?.results ?? null) as CheckResult[] | null
}
