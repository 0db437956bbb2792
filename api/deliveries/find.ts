import type { Selectable } from 'kysely'
import type { Tx } from '../db/pool.ts'
import type { Database } from '../db/schema.ts'
import { notFound } from '../errors.ts'

/** A delivery as its row holds it. */
export type DeliveryRow = Selectable<Database['market.deliveries']>

/**
 * A delivery of an order that the agent is a party of, and whether the agent may have its bytes: a buyer may once they
 * were handed over. Throws the uniform 404 for anyone else, and for no delivery.
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
