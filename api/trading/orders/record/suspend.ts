import { sql } from 'kysely'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { requireAllowed } from '../../../errors.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import type { OrderRow } from './find.ts'
import { refuseSuspended } from './guards.ts'
import { announceOrder } from './transition.ts'

/** Suspends an order whose payment a reorganisation removed: its money does not move until the payment is back. Emits an event. */
export async function suspendOrder(tx: Tx, orderId: string): Promise<void> {
  const suspended = await tx
    .updateTable('market.orders')
    .set({ suspended_at: sql`market.now()` })
    .where('id', '=', orderId)
    .where('suspended_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
  if (!suspended) return
  await announceOrder(tx, suspended, 'order.suspended')
  await audit(tx, { actor: 'service', action: 'order.suspended', subject: urnString('order', orderId) })
}

/** Resumes an order whose payment is back, and extends its open windows by the time it was suspended. Emits an event. */
export async function resumeOrder(tx: Tx, orderId: string): Promise<void> {
  const longer = (column: string) => sql<Date>`${sql.ref(column)} + (market.now() - suspended_at)`
  const resumed = await tx
    .updateTable('market.orders')
    .set({
      sla_due_at: longer('sla_due_at'),
      accept_by: longer('accept_by'),
      redeliver_by: longer('redeliver_by'),
      suspended_at: null,
    })
    .where('id', '=', orderId)
    .where('suspended_at', 'is not', null)
    .returningAll()
    .executeTakeFirst()
  if (!resumed) return
  await announceOrder(tx, resumed, 'order.resumed')
  await audit(tx, { actor: 'service', action: 'order.resumed', subject: urnString('order', orderId) })
}

/** Throws orders/suspended if a reorganisation has removed the order's payment, so that its money cannot be moved. */
export function requireNotSuspended(order: OrderRow): void {
  requireAllowed(refuseSuspended(order))
}
