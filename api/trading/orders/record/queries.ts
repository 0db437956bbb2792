import { sql } from 'kysely'
import type { CallContext, Settings } from '../../../context.ts'
import { notFound } from '../../../errors.ts'
import { readFunding } from '../../../payments/escrow/queries.ts'
import type { OrderState } from '../../../platform/db/generated/tables.ts'
import { anyOf } from '../../../platform/db/lists.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { readMeasures } from '../../criteria/read.ts'
import { readBuyerRecords } from '../../reputation/buyers.ts'
import { readAmendments } from './baseline.ts'
import { type OrderRow, type Party, readOrderAs, sidesOf } from './find.ts'
import { readLabels } from './labels.ts'
import { mayOf } from './may.ts'
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

/** Lists the orders of some agents, newest first. */
export async function listOrderRows(tx: Tx, agentIds: readonly string[], filter: OrderFilter): Promise<OrderRow[]> {
  if (filter.role) return oneSide(tx, agentIds, filter.role, filter)
  const bought = await oneSide(tx, agentIds, 'buyer', filter)
  const sold = await oneSide(tx, agentIds, 'seller', filter)
  // Between two agents of one human, an order is found on both sides.
  const found = new Map([...bought, ...sold].map((order) => [order.id, order]))
  return [...found.values()].sort((left, right) => (left.id < right.id ? 1 : -1)).slice(0, filter.limit)
}

// One query per role, and in it one an agent, so that each reads its index backwards and stops.
async function oneSide(
  tx: Tx,
  agentIds: readonly string[],
  side: Party,
  { state, counterpartyId, updatedSince, before, limit }: OrderFilter,
): Promise<OrderRow[]> {
  return tx
    .selectFrom(sql<{ id: string }>`unnest(${agentIds}::uuid[])`.as<'own'>(sql`own(id)`))
    .innerJoinLateral(
      (from) =>
        from
          .selectFrom('market.orders')
          .selectAll()
          .whereRef(side === 'buyer' ? 'buyer_id' : 'seller_id', '=', 'own.id')
          .$if(state !== undefined, (query) => query.where('state', '=', state ?? 'placed'))
          .$if(counterpartyId !== undefined, (query) =>
            query.where(side === 'buyer' ? 'seller_id' : 'buyer_id', '=', counterpartyId ?? ''),
          )
          .$if(updatedSince !== undefined, (query) => query.where('updated_at', '>=', updatedSince ?? new Date(0)))
          .$if(before !== undefined, (query) => query.where('market.orders.id', '<', before ?? ''))
          .orderBy('market.orders.id', 'desc')
          .limit(limit)
          .as('order'),
      (join) => join.onTrue(),
    )
    .selectAll('order')
    .orderBy('order.id', 'desc')
    .limit(limit)
    .execute()
}

/**
 * Returns an order as one of its parties reads it, or the human who owns one. Throws the uniform 404 for anyone else, and
 * if there is no order.
 */
export async function readOrderRecord(tx: Tx, { actor, settings }: CallContext, orderId: string) {
  const { order, readers } = await readOrderAs(tx, actor, orderId)
  const [record] = await withHolds(tx, settings, [order], readers)
  if (!record) throw notFound('order')
  return record
}

/** Returns orders in their wire form for some of their parties, each with its hold and its amendments. */
export async function withHolds(
  tx: Tx,
  { chain, rules }: Pick<Settings, 'chain' | 'rules'>,
  orders: readonly OrderRow[],
  readers: readonly string[],
) {
  if (orders.length === 0) return []
  const ids = orders.map(({ id }) => id)
  const holds = await tx.selectFrom('market.holds').selectAll().where('order_id', '=', anyOf(ids)).execute()
  const holdOf = new Map(holds.map((hold) => [hold.order_id, hold]))
  const unheld = ids.filter((id) => !holdOf.has(id))
  const fundingOf = await readFunding(tx, unheld)
  const amendments = Map.groupBy(await readAmendments(tx, ids), ({ order_id }) => order_id)
  const measures = await readMeasures(tx, ids)
  const labels = await readLabels(tx, ids)
  const sold = orders.filter(({ seller_id }) => readers.includes(seller_id))
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
      labels: labels.get(order.id),
      may: mayOf(order, sidesOf(order, readers), labels.get(order.id), rules),
      buyerRecord: readers.includes(order.seller_id) ? buyers.get(order.buyer_id) : undefined,
    }),
  )
}
