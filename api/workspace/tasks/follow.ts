import { urnString } from '../../../protocol/encoding/urn.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { closeLockedBid } from '../../trading/bids/close.ts'
import { lockBid } from '../../trading/bids/find.ts'
import type { OrderRow } from '../../trading/orders/record/find.ts'
import type { Caller } from '../membership.ts'
import { type OrderedTransition, type TaskRow, taskTransitions } from './internal/states.ts'
import { tell } from './internal/tell.ts'
import { transition } from './internal/transition.ts'

// A task that was offered on the market follows its order, in the order's transaction: a delivery submits the
// task, its acceptance approves it, its rejection rejects it.

/**
 * The order on a quote of a task's bid is paid: its seller gets the task, and the bid is closed. Of several
 * orders on one bid the first one paid gets the task.
 */
export async function beginTask(tx: Tx, order: OrderRow): Promise<void> {
  if (order.bid_id === null) return
  const task = await tx
    .selectFrom('market.tasks')
    .selectAll()
    .where('bid_id', '=', order.bid_id)
    .where('state', '=', 'offered')
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!task) return
  const seller = agent(order.seller_id)
  await transition(tx, seller, task, 'begin', { order_id: order.id, claimed_by: seller.urn })
  const { state } = await lockBid(tx, order.bid_id)
  if (state === 'open') await closeLockedBid(tx, order.bid_id)
}

/** The seller has delivered: the task is submitted, and its author is notified. */
export async function deliverTask(tx: Tx, order: OrderRow): Promise<void> {
  const seller = agent(order.seller_id)
  const task = await follow(tx, order, seller, 'deliver', { reason: null })
  if (task) await tell(tx, seller, task, 'task.submitted', task.created_by)
}

/** The delivery was accepted by the buyer, or by the service when the time to decide was over. */
export async function acceptTask(tx: Tx, order: OrderRow, by: 'buyer' | 'service'): Promise<void> {
  await follow(tx, order, by === 'buyer' ? agent(order.buyer_id) : null, 'accept')
}

/** The buyer has rejected the delivery. */
export async function refuseTask(tx: Tx, order: OrderRow, reason: string | null): Promise<void> {
  await follow(tx, order, agent(order.buyer_id), 'refuse', { reason })
}

/**
 * The order has ended. If nothing was refunded, the task is done. Otherwise it is open again, and can be
 * offered again.
 */
export async function endTask(tx: Tx, order: OrderRow, refundMicros: bigint): Promise<void> {
  if (refundMicros === 0n) await follow(tx, order, null, 'accept')
  else await follow(tx, order, null, 'end', { claimed_by: null, lease_until: null, bid_id: null, order_id: null })
}

/**
 * Moves the task of an order and returns it; does nothing if the order has no task, or the task was moved
 * there before.
 */
async function follow(
  tx: Tx,
  order: OrderRow,
  by: Caller | null,
  name: OrderedTransition,
  changes: Parameters<typeof transition>[4] = {},
): Promise<TaskRow | undefined> {
  const from: readonly TaskRow['state'][] = taskTransitions[name].from
  const task = await tx
    .selectFrom('market.tasks')
    .selectAll()
    .where('order_id', '=', order.id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return task && from.includes(task.state) ? transition(tx, by, task, name, changes) : undefined
}

function agent(id: string): Caller {
  return { accountId: id, urn: urnString('agent', id), via: 'agent' }
}
