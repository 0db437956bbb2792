import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { Settings } from '../../../context.ts'
import { requireAllowed } from '../../../errors.ts'
import { requestRelease } from '../../../payments/escrow/release.ts'
import { announce } from '../../../platform/announcements/announce.ts'
import { audit } from '../../../platform/audit/audit.ts'
import { readClock } from '../../../platform/db/clock.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { DisputeGivenUp, OrderAccepted } from '../record/announcements.ts'
import { lockOrderRow, type OrderRow } from '../record/find.ts'
import { refuseAccept } from '../record/guards.ts'
import { transition } from '../record/transition.ts'

/**
 * Accepts a delivery for the buyer and releases the hold to the seller, less the fee (spec 3.1): inside the
 * window, or, after rejecting, while the seller may still deliver again. Accepting gives up a dispute. The
 * order must be locked. Throws 409 for a buyer who is too late, and while a reorganisation has removed the
 * payment.
 */
export async function acceptOrder(tx: Tx, settings: Settings, order: OrderRow): Promise<void> {
  if (order.state === 'disputed') return announce(tx, settings, DisputeGivenUp, { order, party: 'buyer' })
  requireAllowed(refuseAccept({ order, now: await readClock(tx) }))
  await accept(tx, settings, order, 'buyer')
}

/**
 * Accepts a delivery whose buyer has not decided in time. Returns false, changing nothing, for an order that
 * is not due, and while a reorganisation has removed its payment.
 */
export async function acceptUndecided(tx: Tx, settings: Settings, orderId: string): Promise<boolean> {
  const order = await lockOrderRow(tx, orderId)
  if (order?.state !== 'delivered' || order.suspended_at !== null) return false
  if (order.accept_by === null || order.accept_by > (await readClock(tx))) return false
  await accept(tx, settings, order, 'service')
  return true
}

async function accept(tx: Tx, settings: Settings, order: OrderRow, by: 'buyer' | 'service'): Promise<void> {
  const accepted = await transition(tx, order.id, 'accept')
  await audit(tx, {
    actor: by === 'buyer' ? urnString('agent', order.buyer_id) : 'service',
    action: 'order.accept',
    subject: urnString('order', order.id),
  })
  await announce(tx, settings, OrderAccepted, { order: accepted, by })
  const elapsed =
    by === 'service' && order.accept_by && order.delivered_at
      ? { elapsedSeconds: secondsBetween(order.delivered_at, order.accept_by) }
      : {}
  await requestRelease(tx, settings, accepted, { refundMicros: 0n, ...elapsed })
}

function secondsBetween(from: Date, to: Date): number {
  return (to.getTime() - from.getTime()) / 1_000
}
