import type { Expression, Selectable, UpdateType } from 'kysely'
import { urnString } from '../../protocol/urn.ts'
import { emit } from '../db/events.ts'
import type { Tx } from '../db/pool.ts'
import type { Orders } from '../db/schema/orders.ts'
import { demandedStatement } from '../db/statement.ts'
import { Problem } from '../errors.ts'
import { type OrderEvent, orderTransitions, type Transition } from './states.ts'

type Changes = { [Column in keyof Orders]?: UpdateType<Orders[Column]> | Expression<unknown> }

/**
 * Moves an order along its lifecycle: one conditional UPDATE and the event beside it.
 * Undefined when the order was not in a state the event starts from: somebody else was first.
 */
export async function tryTransition(tx: Tx, orderId: string, event: OrderEvent, changes: Changes = {}) {
  const { from, to, event: eventType }: Transition = orderTransitions[event]
  const order = await tx
    .updateTable('market.orders')
    .set({ ...(changes as object), state: to })
    .where('id', '=', orderId)
    .where('state', 'in', from)
    .returningAll()
    .executeTakeFirst()
  if (!order) return undefined
  await announceOrder(tx, order, eventType)
  return order
}

const move = demandedStatement(`
  update market.orders set state = $2, closed_at = case when $4 then market.now() else closed_at end
  where id = $1 and state = any($3)`)

/**
 * As transition, for whoever holds the order locked and has its row as it is: nothing of it has to be waited for. `closes`
 * has the order closed now.
 */
export async function transitionLocked(
  tx: Tx,
  order: Selectable<Orders>,
  event: OrderEvent,
  { closes = false } = {},
): Promise<void> {
  const { from, to, event: eventType }: Transition = orderTransitions[event]
  if (!from.includes(order.state)) throw stateConflict(event)
  await move(tx, [order.id, to, from, closes], () => stateConflict(event))
  await announceOrder(tx, { ...order, state: to }, eventType)
}

/** Writes an event about an order: its URNs and its state, for its two parties. */
export async function announceOrder(tx: Tx, order: Selectable<Orders>, type: string): Promise<void> {
  await emit(tx, {
    type,
    payload: {
      order_urn: urnString('order', order.id),
      state: order.state,
      ...(order.thread_id ? { thread_urn: urnString('thread', order.thread_id) } : {}),
      ...(order.receipt_id ? { receipt_urn: urnString('receipt', order.receipt_id) } : {}),
    },
    visibleTo: [order.buyer_id, order.seller_id],
  })
}

/** As tryTransition, for callers to whom losing the race is a 409. */
export async function transition(tx: Tx, orderId: string, event: OrderEvent, changes: Changes = {}) {
  const order = await tryTransition(tx, orderId, event, changes)
  if (order) return order
  throw stateConflict(event)
}

function stateConflict(event: OrderEvent): Problem {
  const { from } = orderTransitions[event]
  return new Problem('orders/state-conflict', {
    detail: `This needs an order that is ${from.join(' or ')}. Read the order to see its state.`,
  })
}
