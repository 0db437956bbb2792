import { formatAmount } from '../../../../protocol/encoding/amounts.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { PayloadOf } from '../../../platform/events/eventType.ts'
import type { orderEvents } from './events.ts'
import type { OrderRow } from './find.ts'

/** Returns what every event about an order says: its URNs, its state, its price, and what is due when. */
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
