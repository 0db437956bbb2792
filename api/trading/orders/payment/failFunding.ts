import { formatAmount } from '../../../../protocol/encoding/amounts.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { PaymentFailed } from '../../../payments/escrow/announcements.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { emit } from '../../../platform/events/emit.ts'
import { orderPayload } from '../record/eventPayload.ts'
import { orderEvents } from '../record/events.ts'

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
