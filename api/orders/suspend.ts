import { sql } from 'kysely'
import { urnString } from '../../protocol/urn.ts'
import { audit } from '../db/audit.ts'
import type { Tx } from '../db/pool.ts'
import { Problem } from '../errors.ts'
import type { OrderRow } from './find.ts'
import { announceOrder } from './transition.ts'

/** The payment of an order is gone from the chain: nothing of its money moves until it is seen again. Both parties are told. */
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

/** The payment is back: the order goes on, and the time it stood still is added to whatever window is open. */
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

/** Throws orders/suspended where the money of an order cannot be moved now. */
export function requireNotSuspended({ suspended_at: since }: OrderRow): void {
  if (since === null) return
  throw new Problem('orders/suspended', {
    detail:
      `The chain took back the payment of this order at ${since.toISOString()}. It is being sent again; ` +
      'the order goes on by itself when the payment is seen, and no window runs out meanwhile.',
  })
}
