import { sql } from 'kysely'
import { urnString } from '../../../protocol/urn.ts'
import type { Settings } from '../../context.ts'
import { Problem } from '../../errors.ts'
import { audit } from '../../platform/audit/audit.ts'
import { readClock } from '../../platform/db/clock.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { emit } from '../../platform/events/emit.ts'
import { announce } from '../../platform/facts/announce.ts'
import { orderPayload } from './eventPayload.ts'
import { OrderDelivered } from './facts.ts'
import type { OrderRow } from './find.ts'
import { transition } from './transition.ts'

/**
 * Records that the seller has delivered, and starts the buyer's window to decide (spec 3.1). A rejected delivery may be
 * replaced within its window. The order must be locked and the caller its seller. Throws 409 otherwise.
 */
export async function deliverOrder(tx: Tx, settings: Settings, order: OrderRow): Promise<OrderRow> {
  if (order.state === 'rejected') await requireOpenRedelivery(tx, order)
  if (order.deliveries >= settings.rules.maxDeliveries) {
    throw new Problem('orders/deliveries-exhausted', {
      detail: `An order can be delivered ${settings.rules.maxDeliveries} times, and this one was.`,
    })
  }
  const delivered = await transition(tx, order.id, 'deliver', {
    deliveries: sql`deliveries + 1`,
    delivered_at: sql`market.now()`,
    accept_by: sql`market.now() + make_interval(secs => auto_accept_seconds)`,
    redeliver_by: null,
    reason: null,
  })
  await emit(tx, {
    type: 'receipt.delivered',
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

async function requireOpenRedelivery(tx: Tx, order: OrderRow): Promise<void> {
  if (order.redeliver_by && order.redeliver_by > (await readClock(tx))) return
  throw new Problem('orders/window-closed', {
    detail: `The window to deliver again closed at ${order.redeliver_by?.toISOString()}.`,
  })
}
