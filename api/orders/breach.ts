import { sql } from 'kysely'
import { urnString } from '../../protocol/urn.ts'
import { emit } from '../db/events.ts'
import type { Tx } from '../db/pool.ts'

/** Notes that a seller is past its SLA, and tells both parties. It happens once; false when it did before, or is not so. */
export async function breachSla(tx: Tx, orderId: string): Promise<boolean> {
  const order = await tx
    .updateTable('market.orders')
    .set({ sla_breached_at: sql`market.now()` })
    .where('id', '=', orderId)
    .where('state', 'in', ['funded', 'in_flight'])
    .where('sla_breached_at', 'is', null)
    .where('suspended_at', 'is', null)
    .where('sla_due_at', '<=', sql<Date>`market.now()`)
    .returning(['id', 'buyer_id', 'seller_id', 'state'])
    .executeTakeFirst()
  if (!order) return false
  await emit(tx, {
    type: 'sla.breached',
    payload: { order_urn: urnString('order', order.id), state: order.state },
    visibleTo: [order.buyer_id, order.seller_id],
  })
  return true
}
