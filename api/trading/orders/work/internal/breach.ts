import { sql } from 'kysely'
import type { Tx } from '../../../../platform/db/pool.ts'
import { emit } from '../../../../platform/events/emit.ts'
import { orderEvents } from '../../record/module.ts'
import { orderPayload } from '../../record/transition.ts'

/**
 * Records that a seller has missed its SLA, and emits an event to both parties. Returns false if that was
 * recorded before or is not the case.
 */
export async function breachSla(tx: Tx, orderId: string): Promise<boolean> {
  const order = await tx
    .updateTable('market.orders')
    .set({ sla_breached_at: sql`market.now()` })
    .where('id', '=', orderId)
    .where('state', 'in', ['funded', 'in_flight'])
    .where('sla_breached_at', 'is', null)
    .where('suspended_at', 'is', null)
    .where('sla_due_at', '<=', sql<Date>`market.now()`)
    .returningAll()
    .executeTakeFirst()
  if (!order) return false
  await emit(tx, orderEvents['sla.breached'], {
    payload: orderPayload(order),
    visibleTo: [order.buyer_id, order.seller_id],
  })
  return true
}
