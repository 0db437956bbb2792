import { sql } from 'kysely'
import { Problem } from '../../../errors.ts'
import type { Orders } from '../../../platform/db/generated/tables.ts'
import { type Changes, lifecycle } from '../../../platform/db/lifecycle.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { emit } from '../../../platform/events/emit.ts'
import { orderPayload } from './eventPayload.ts'
import { orderEvents } from './events.ts'
import type { OrderRow } from './find.ts'
import { type OrderTransition, orderTransitions } from './states.ts'

const move = lifecycle('market.orders', 'state', orderTransitions)

/**
 * Moves an order along its lifecycle: one conditional UPDATE, and its event in the same transaction. Returns the
 * order's new row. `amounts` are further members of the event. Throws orders/state-conflict (409) if the transition cannot start
 * from the order's state.
 */
export async function transition(
  tx: Tx,
  orderId: string,
  name: OrderTransition,
  changes: Changes<Orders> = {},
  amounts: Record<string, string> = {},
): Promise<OrderRow> {
  const [order] = await move(tx, sql<boolean>`id = ${orderId}`, name, changes)
  if (!order) throw stateConflict(name)
  await announceOrder(tx, order, orderTransitions[name].event, amounts)
  return order
}

/** Emits an event about an order to its two parties: its URNs, its state, its price, and further amounts if given. */
export async function announceOrder(
  tx: Tx,
  order: OrderRow,
  type: keyof typeof orderEvents,
  amounts: Record<string, string> = {},
): Promise<void> {
  await emit(tx, orderEvents[type], {
    payload: { ...orderPayload(order), ...amounts },
    visibleTo: [order.buyer_id, order.seller_id],
  })
}

function stateConflict(name: OrderTransition): Problem {
  const { from } = orderTransitions[name]
  return new Problem('orders/state-conflict', {
    detail: `This needs an order that is ${from.join(' or ')}. Read the order to see its state.`,
  })
}
