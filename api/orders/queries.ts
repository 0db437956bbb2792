import type { ChainSettings } from '../context.ts'
import type { Tx } from '../db/pool.ts'
import type { OrderState } from '../db/schema/orders.ts'
import { readAmendments } from './amendments.ts'
import type { OrderRow, Party } from './find.ts'
import { toOrder } from './wire.ts'

/** Which of an agent's orders to list, from where on. */
export interface OrderFilter {
  role: Party | undefined
  state: OrderState | undefined
  /** The agent on the other side. */
  counterpartyId: string | undefined
  /** Only what changed at this time or later. */
  updatedSince: Date | undefined
  /** The id of the last order already seen. */
  before: string | undefined
  limit: number
}

/** An agent's orders, newest first. */
export async function listOrderRows(tx: Tx, agentId: string, filter: OrderFilter): Promise<OrderRow[]> {
  if (filter.role) return oneSide(tx, agentId, filter.role, filter)
  const bought = await oneSide(tx, agentId, 'buyer', filter)
  const sold = await oneSide(tx, agentId, 'seller', filter)
  return [...bought, ...sold].sort((left, right) => (left.id < right.id ? 1 : -1)).slice(0, filter.limit)
}

// One query a side, so that each reads its index backwards and stops.
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

/** Orders as they travel, each with its hold and what was agreed of it. */
export async function withHolds(tx: Tx, chain: ChainSettings, orders: readonly OrderRow[]) {
  if (orders.length === 0) return []
  const ids = orders.map(({ id }) => id)
  const holds = await tx.selectFrom('market.holds').selectAll().where('order_id', 'in', ids).execute()
  const holdOf = new Map(holds.map((hold) => [hold.order_id, hold]))
  const amendments = Map.groupBy(await readAmendments(tx, ids), ({ order_id }) => order_id)
  return orders.map((order) =>
    toOrder(chain, order, { hold: holdOf.get(order.id), amendments: amendments.get(order.id) ?? [] }),
  )
}
