import type { Selectable } from 'kysely'
import { notFound } from '../../errors.ts'
import type { Database } from '../../platform/db/generated/tables.ts'
import type { Tx } from '../../platform/db/pool.ts'
import type { CheckResult } from '../criteria/results.ts'
import { isReviewing } from '../orders/record/find.ts'

/** A delivery as stored. */
export type DeliveryRow = Selectable<Database['market.deliveries']>

/**
 * Returns a delivery of an order that the agent is a party of, and whether the agent may read its bytes: a
 * buyer may once a notice has delivered it. Throws the uniform 404 for anyone else, and if there is no such
 * delivery.
 */
export async function findDelivery(
  tx: Tx,
  agentId: string,
  deliveryId: string,
): Promise<{ delivery: DeliveryRow; mayDownload: boolean }> {
  const found = await readWithOrder(tx, deliveryId)
  if (!found || (found.buyer_id !== agentId && found.seller_id !== agentId)) throw notFound('delivery')
  return { delivery: found, mayDownload: mayRead(found, agentId) }
}

/**
 * Returns the delivery of a link, if the account that it was issued to may still read its bytes: as a party,
 * or as the reviewer of the order's dispute. Throws the uniform 404 otherwise.
 */
export async function findLinked(
  tx: Tx,
  { account, deliveryId }: { account: string; deliveryId: string },
): Promise<DeliveryRow> {
  const found = await readWithOrder(tx, deliveryId)
  if (!found) throw notFound('delivery')
  if (!mayRead(found, account) && !(await isReviewing(tx, account, found.dispute_id))) throw notFound('delivery')
  return found
}

async function readWithOrder(tx: Tx, deliveryId: string) {
  return tx
    .selectFrom('market.deliveries as delivery')
    .innerJoin('market.orders as order', 'order.id', 'delivery.order_id')
    .selectAll('delivery')
    .select(['order.buyer_id', 'order.seller_id', 'order.dispute_id'])
    .where('delivery.id', '=', deliveryId)
    .executeTakeFirst()
}

type WithOrder = NonNullable<Awaited<ReturnType<typeof readWithOrder>>>

function mayRead({ buyer_id, seller_id, message_id }: WithOrder, agentId: string): boolean {
  return seller_id === agentId || (buyer_id === agentId && message_id !== null)
}

/**
 * Returns the results of the checks of an order's criteria for an upload, null if there are none, and whether
 * they are yet to be made.
 */
export async function findChecks(
  tx: Tx,
  deliveryId: string,
): Promise<{ checks: CheckResult[] | null; isPending: boolean }> {
  const found = tx.selectFrom('market.delivery_checks').select('results').where('delivery_id', '=', deliveryId)
  const row = await found.executeTakeFirst()
  // Only checkDeliveries writes them.
  const checks = (row?.results ?? null) as CheckResult[] | null
  return { checks, isPending: row !== undefined && checks === null }
}
