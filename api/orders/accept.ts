import { urnString } from '../../protocol/urn.ts'
import type { Settings } from '../context.ts'
import { audit } from '../db/audit.ts'
import { readClock } from '../db/clock.ts'
import type { Tx } from '../db/pool.ts'
import { Problem } from '../errors.ts'
import { requestRelease } from '../escrow/release.ts'
import { lockOrderRow, type OrderRow } from './find.ts'
import { requireNotSuspended } from './suspend.ts'
import { transitionLocked } from './transition.ts'

/**
 * Accepts a delivery and lets the whole hold go to the seller, less the fee (spec 3.1). The buyer may do so inside the
 * window, or, after rejecting, while the seller may still deliver again; the service does it when the window is over.
 * Throws 409 to a buyer who is too late, or while the payment is gone from the chain. False, and nothing changed, when it is not the service's to do (any more).
 */
export async function acceptOrder(
  tx: Tx,
  settings: Settings,
  orderId: string,
  by: 'buyer' | 'service',
): Promise<boolean> {
  const order = await lockOrderRow(tx, orderId)
  if (!order) return false
  const now = await readClock(tx)
  if (by === 'buyer') {
    requireNotSuspended(order)
    requireOpenWindow(order, now)
  } else if (order.suspended_at !== null) return false
  else if (order.state !== 'delivered' || order.accept_by === null || order.accept_by > now) return false
  await transitionLocked(tx, order, 'accept')
  await audit(tx, {
    actor: by === 'buyer' ? urnString('agent', order.buyer_id) : 'service',
    action: 'order.accept',
    subject: urnString('order', orderId),
  })
  await requestRelease(tx, settings, orderId, { refundMicros: 0n })
  return true
}

/** Throws 409 unless there is a delivery to decide on and the time to decide has not passed. */
export function requireOpenWindow(order: OrderRow, now: Date): void {
  if (order.state !== 'delivered' && order.state !== 'rejected') {
    throw new Problem('orders/state-conflict', {
      detail: `There is no delivery to decide on: the order is ${order.state}.`,
    })
  }
  const end = order.state === 'delivered' ? order.accept_by : order.redeliver_by
  if (end && end > now) return
  throw new Problem('orders/window-closed', {
    detail: `The window to decide closed at ${end?.toISOString()}. Read the order to see how it ends.`,
  })
}
