import { sql } from 'kysely'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { Settings } from '../../../context.ts'
import { requireAllowed } from '../../../errors.ts'
import { announce } from '../../../platform/announcements/announce.ts'
import { audit } from '../../../platform/audit/audit.ts'
import { readClock } from '../../../platform/db/clock.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { emit } from '../../../platform/events/emit.ts'
import { reminderAt } from '../../terms/limits.ts'
import { OrderDelivered } from '../record/announcements.ts'
import type { OrderRow } from '../record/find.ts'
import { refuseDeliver } from '../record/guards.ts'
import { orderEvents } from '../record/module.ts'
import { orderPayload, transition } from '../record/transition.ts'

/** Records that the seller has begun the work. Throws 409 unless the order is funded. */
export async function startOrder(tx: Tx, order: OrderRow): Promise<OrderRow> {
  return transition(tx, order.id, 'start')
}

/**
 * Records that the seller has delivered, and starts the buyer's window to decide (spec 3.1). A rejected
 * delivery may be replaced within its window. `hasBytes` says whether the notice names an upload. The order
 * must be locked and the caller its seller. Throws 409 otherwise.
 */
export async function deliverOrder(tx: Tx, settings: Settings, order: OrderRow, hasBytes: boolean): Promise<OrderRow> {
  requireAllowed(refuseDeliver({ order, now: await readClock(tx) }, settings.rules.maxDeliveries))
  const delivered = await transition(tx, order.id, 'deliver', {
    deliveries: sql`deliveries + 1`,
    delivery_has_bytes: hasBytes,
    delivered_at: sql`market.now()`,
    accept_by: sql`market.now() + make_interval(secs => auto_accept_seconds)`,
    remind_at: reminderAt(order.auto_accept_seconds),
    redeliver_by: null,
    reason: null,
  })
  await emit(tx, orderEvents['receipt.delivered'], {
    payload: orderPayload(delivered),
    visibleTo: [order.buyer_id, order.seller_id],
  })
  await audit(tx, {
    actor: urnString('agent', order.seller_id),
    action: 'order.deliver',
    subject: urnString('order', order.id),
  })
  await announce(tx, settings, OrderDelivered, { order: delivered })
  return delivered
}
