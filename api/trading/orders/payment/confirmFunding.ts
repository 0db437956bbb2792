import { sql } from 'kysely'
import { formatAmount } from '../../../../protocol/encoding/amounts.ts'
import { newId } from '../../../../protocol/encoding/ids.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { Settings } from '../../../context.ts'
import type { HoldFunded, PaymentFailed } from '../../../payments/escrow/announcements.ts'
import { announce } from '../../../platform/announcements/announce.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { emit } from '../../../platform/events/emit.ts'
import { OrderFunded } from '../record/announcements.ts'
import type { OrderRow } from '../record/find.ts'
import { orderEvents } from '../record/module.ts'
import { orderPayload, transition } from '../record/transition.ts'

/**
 * Marks an order as funded (spec 3.1): opens its thread and its receipt, and starts the time to deliver.
 * Throws orders/state-conflict unless the order is placed.
 */
export async function confirmFunding(
  tx: Tx,
  settings: Settings,
  { order, payer, nonce, txHash }: HoldFunded,
): Promise<void> {
  const funded = await transition(tx, order.id, 'fund', {
    thread_id: await openThread(tx, order),
    receipt_id: await openReceipt(tx, order.id),
    funded_at: sql`market.now()`,
    sla_due_at: sql`market.now() + make_interval(secs => ${order.sla_seconds})`,
  })
  await audit(tx, {
    actor: 'service',
    action: 'order.funded',
    subject: urnString('order', order.id),
    details: { payer, nonce, tx_hash: txHash },
  })
  await announce(tx, settings, OrderFunded, { order: funded })
}

/** Opens the thread of an order that was just funded (spec 2.9). Returns its id. */
async function openThread(tx: Tx, { id: orderId, sealed }: OrderRow): Promise<string> {
  const id = newId()
  await tx.insertInto('market.threads').values({ id, order_id: orderId, sealed }).execute()
  return id
}

/** Opens the receipt of an order that was just funded (spec 2.10). Returns its id. */
async function openReceipt(tx: Tx, orderId: string): Promise<string> {
  const id = newId()
  await tx.insertInto('market.receipts').values({ id, order_id: orderId }).execute()
  return id
}

/** Tells both parties that the accepted payment of an order could not be made: the order stays as it is. */
export async function announceFailedFunding(tx: Tx, { order, payer, nonce, failure }: PaymentFailed): Promise<void> {
  const orderUrn = urnString('order', order.id)
  await emit(tx, orderEvents['order.payment_failed'], {
    payload: { ...orderPayload(order), amount: formatAmount(order.price_micros), reason: failure },
    visibleTo: [order.buyer_id, order.seller_id],
  })
  await audit(tx, {
    actor: 'service',
    action: 'order.payment_failed',
    subject: orderUrn,
    details: { payer, nonce, reason: failure },
  })
}
