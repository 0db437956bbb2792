import type { Expression, UpdateType } from 'kysely'
import { Problem } from '../../../errors.ts'
import type { Orders } from '../../../platform/db/generated/tables.ts'
import type { Tx } from '../../../platform/db/pool.ts'

import { emit } from '../../../platform/events/emit.ts'
import { orderPayload } from './eventPayload.ts'
import { orderEvents } from './events.ts'
import type { OrderRow } from './find.ts'
import { type OrderEvent, orderTransitions, type Transition } from './states.ts'

type Changes = { [Column in keyof Orders]?: UpdateType<Orders[Column]> | Expression<unknown> }

/**
 * Moves an order along its lifecycle: one conditional UPDATE, and its event in the same transaction. Returns the
 * order's new row. `amounts` are further members of the event. Throws orders/state-conflict (409) if the event cannot start
 * from the order's state.
 */
export async function transition(
  tx: Tx,
  orderId: string,
  event: OrderEvent,
  changes: Changes = {},
  amounts: Record<string, string> = {},
): Promise<OrderRow> {
  const { from, to, event: eventType }: Transition = orderTransitions[event]
  const order = await tx
    .updateTable('market.orders')
    .set({ ...(changes as object), state: to })
    .where('id', '=', orderId)
    .where('state', 'in', from)
    .returningAll()
    .executeTakeFirstOrThrow(() => stateConflict(event))
  await announceOrder(tx, order, eventType, amounts)
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

function stateConflict(event: OrderEvent): Problem {
  const { from } = orderTransitions[event]
  return new Problem('orders/state-conflict', {
    detail: `This needs an order that is ${from.join(' or ')}. Read the order to see its state.`,
  })
}
