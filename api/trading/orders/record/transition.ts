import { sql } from 'kysely'
import { formatAmount } from '../../../../protocol/encoding/amounts.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { Problem, requireAllowed } from '../../../errors.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Orders } from '../../../platform/db/generated/tables.ts'
import { type Changes, lifecycle } from '../../../platform/db/lifecycle.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { emit } from '../../../platform/events/emit.ts'
import type { PayloadOf } from '../../../platform/events/eventType.ts'
import type { OrderRow } from './find.ts'
import { refuseSuspended } from './guards.ts'
import { orderEvents } from './module.ts'
import { orderProblems } from './problems.ts'
import { type OrderTransition, orderTransitions } from './states.ts'

/** Returns the members of every event about an order: its URNs, its state, its price, and its deadlines. */
export function orderPayload(order: OrderRow): PayloadOf<(typeof orderEvents)['order.funded']> {
  const { thread_id, receipt_id, sla_due_at, accept_by, redeliver_by } = order
  return {
    order_urn: urnString('order', order.id),
    state: order.state,
    price: formatAmount(order.price_micros),
    escrow_mode: order.escrow_mode,
    buyer_urn: urnString('agent', order.buyer_id),
    seller_urn: urnString('agent', order.seller_id),
    ...(thread_id ? { thread_urn: urnString('thread', thread_id) } : {}),
    ...(receipt_id ? { receipt_urn: urnString('receipt', receipt_id) } : {}),
    ...(sla_due_at ? { sla_due_at: sla_due_at.toISOString() } : {}),
    ...(accept_by ? { accept_by: accept_by.toISOString() } : {}),
    ...(redeliver_by ? { redeliver_by: redeliver_by.toISOString() } : {}),
  }
}

const move = lifecycle('market.orders', 'state', orderTransitions)

/**
 * Moves an order along its lifecycle: one conditional UPDATE, and its event in the same transaction. Returns
 * the order's new row. `amounts` are further members of the event. Throws orders/state-conflict (409) if the
 * transition cannot start from the order's state.
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

/**
 * Emits an event about an order to its two parties: its URNs, its state, its price, and further amounts if
 * given.
 */
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
  return new Problem(orderProblems.stateConflict, {
    detail: `This needs an order that is ${from.join(' or ')}. Read the order to see its state.`,
  })
}

/**
 * Suspends an order whose payment a reorganisation removed: its money does not move until the payment is
 * back. Emits an event.
 */
export async function suspendOrder(tx: Tx, orderId: string): Promise<void> {
  const suspended = await tx
    .updateTable('market.orders')
    .set({ suspended_at: sql`market.now()` })
    .where('id', '=', orderId)
    .where('suspended_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
  if (!suspended) return
  await announceOrder(tx, suspended, 'order.suspended')
  await audit(tx, { actor: 'service', action: 'order.suspended', subject: urnString('order', orderId) })
}

/**
 * Resumes an order whose payment is back, and extends its open windows by the time it was suspended. Emits an
 * event.
 */
export async function resumeOrder(tx: Tx, orderId: string): Promise<void> {
  const longer = (column: string) => sql<Date>`${sql.ref(column)} + (market.now() - suspended_at)`
  const resumed = await tx
    .updateTable('market.orders')
    .set({
      sla_due_at: longer('sla_due_at'),
      accept_by: longer('accept_by'),
      remind_at: longer('remind_at'),
      redeliver_by: longer('redeliver_by'),
      suspended_at: null,
    })
    .where('id', '=', orderId)
    .where('suspended_at', 'is not', null)
    .returningAll()
    .executeTakeFirst()
  if (!resumed) return
  await announceOrder(tx, resumed, 'order.resumed')
  await audit(tx, { actor: 'service', action: 'order.resumed', subject: urnString('order', orderId) })
}

/**
 * Throws orders/suspended if a reorganisation has removed the order's payment, so that its money cannot be
 * moved.
 */
export function requireNotSuspended(order: OrderRow): void {
  requireAllowed(refuseSuspended(order))
}
