import { urnString } from '../../../protocol/urn.ts'
import type { Settings } from '../../context.ts'
import { Problem } from '../../errors.ts'
import { requestRelease } from '../../payments/escrow/release.ts'
import { audit } from '../../platform/audit/audit.ts'
import { readClock } from '../../platform/db/clock.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { announce } from '../../platform/facts/announce.ts'
import { giveUp } from '../disputes/end.ts'
import { OrderAccepted } from './facts.ts'
import { lockOrderRow, type OrderRow } from './find.ts'
import { requireNotSuspended } from './suspend.ts'
import { transition } from './transition.ts'

/**
 * Accepts a delivery and releases the hold to the seller, less the fee (spec 3.1). The buyer may accept inside the
 * window, or, after rejecting, while the seller may still deliver again, and gives up a dispute by it; the service accepts
 * when the window is over.
 * Throws 409 for a buyer who is too late, and while a reorganisation has removed the payment. Returns false, changing
 * nothing, if the service may not accept.
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
    if (order.state === 'disputed') {
      await giveUp(tx, { settings }, order, 'buyer')
      return true
    }
    requireOpenWindow(order, now)
  } else if (order.suspended_at !== null) return false
  else if (order.state !== 'delivered' || order.accept_by === null || order.accept_by > now) return false
  const accepted = await transition(tx, order.id, 'accept')
  await audit(tx, {
    actor: by === 'buyer' ? urnString('agent', order.buyer_id) : 'service',
    action: 'order.accept',
    subject: urnString('order', orderId),
  })
  await announce(tx, settings, OrderAccepted, { order: accepted, by })
  const elapsed =
    by === 'service' && order.accept_by && order.delivered_at
      ? { elapsedSeconds: secondsBetween(order.delivered_at, order.accept_by) }
      : {}
  await requestRelease(tx, settings, orderId, { refundMicros: 0n, ...elapsed })
  return true
}

function secondsBetween(from: Date, to: Date): number {
  return (to.getTime() - from.getTime()) / 1_000
}

/** Throws 409 unless a delivery is undecided and the window is open. */
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
