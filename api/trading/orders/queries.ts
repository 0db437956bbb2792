import type { AgentCall, ChainSettings } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { readFunding } from '../../payments/escrow/funding.ts'
import type { Tx } from '../../platform/db/pool.ts'
import type { OrderState } from '../../platform/db/schema/orders.ts'
import { readMeasures } from '../criteria/read.ts'
import { readBuyerRecords } from '../reputation/buyers.ts'
import { readAmendments } from './amendments.ts'
import { type OrderRow, type Party, readOrder } from './find.ts'
import { toOrder } from './wire.ts'

/** Which of an agent's orders to list, and where to begin. */
export interface OrderFilter {
  role: Party | undefined
  state: OrderState | undefined
  /** The agent of the other party. */
  counterpartyId: string | undefined
  /** Only orders that changed at this time or later. */
  updatedSince: Date | undefined
  /** The id of the last order of the previous page. */
  before: string | undefined
  limit: number
}

/** Lists an agent's orders, newest first. */
export async function listOrderRows(tx: Tx, agentId: string, filter: OrderFilter): Promise<OrderRow[]> {
  if (filter.role) return oneSide(tx, agentId, filter.role, filter)
  const bought = await oneSide(tx, agentId, 'buyer', filter)
  const sold = await oneSide(tx, agentId, 'seller', filter)
  return [...bought, ...sold].sort((left, right) => (left.id < right.id ? 1 : -1)).slice(0, filter.limit)
}

// One query per role, so that each reads its index backwards and stops.
async function oneSide(
  tx: Tx,
  agentId: string,
  side: Party,
  { state, counterpartyId, updatedSince, before, limit }: OrderFilter,
): Promise<OrderRow[]> {
  let query = tx
    .selectFrom('market.orders')
    .selectAll()
    .where(side === 'buyer' ? 'buyer_id' : 'seller_id', '=', agentId)
    .orderBy('id', 'desc')
    .limit(limit)
  if (state) query = query.where('state', '=', state)
  if (counterpartyId) query = query.where(side === 'buyer' ? 'seller_id' : 'buyer_id', '=', counterpartyId)
  if (updatedSince) query = query.where('updated_at', '>=', updatedSince)
  if (before) query = query.where('id', '<', before)
  return query.execute()
}

/**
 * Returns an order as one of its parties reads it. Throws the uniform 404 for anyone else, and if there is no order.
 */
export async function readOrderRecord(tx: Tx, { actor, settings }: AgentCall, orderId: string) {
  const { order } = await readOrder(tx, actor, orderId)
  const [record] = await withHolds(tx, settings.chain, [order], actor.agentId)
  if (!record) throw notFound('order')
  return record
}

/** Returns orders in their wire form for one of their parties, each with its hold and its amendments. */
export async function withHolds(tx: Tx, chain: ChainSettings, orders: readonly OrderRow[], readerId: string) {
  if (orders.length === 0) return []
  const ids = orders.map(({ id }) => id)
  const holds = await tx.selectFrom('market.holds').selectAll().where('order_id', 'in', ids).execute()
  const holdOf = new Map(holds.map((hold) => [hold.order_id, hold]))
  const unheld = ids.filter((id) => !holdOf.has(id))
  const fundingOf = await readFunding(tx, unheld)
  const amendments = Map.groupBy(await readAmendments(tx, ids), ({ order_id }) => order_id)
  const measures = await readMeasures(tx, ids)
  const sold = orders.filter(({ seller_id }) => seller_id === readerId)
  const buyers = await readBuyerRecords(
    tx,
    sold.map(({ buyer_id }) => buyer_id),
  )
  return orders.map((order) =>
    toOrder(chain, order, {
      hold: holdOf.get(order.id),
      funding: fundingOf.get(order.id),
      amendments: amendments.get(order.id) ?? [],
      measure: measures.get(order.id),
      buyerRecord: order.seller_id === readerId ? buyers.get(order.buyer_id) : undefined,
    }),
  )
}
