import { inTransaction } from '../db/transaction.ts'
import { refundKept } from '../escrow/waiting.ts'
import { forEach } from './each.ts'
import type { JobServices } from './services.ts'

const AT_ONCE = 100

/** Sends back what was kept for an order that is not to be paid any more. */
export async function refundStrays(services: JobServices): Promise<void> {
  const { db, settings } = services
  const due = await db
    .selectFrom('market.strays as stray')
    .innerJoin('market.orders as order', 'order.id', 'stray.order_id')
    .select('stray.key')
    .where('stray.status', 'in', ['waiting', 'adopting'])
    .where('order.state', '<>', 'placed')
    .limit(AT_ONCE)
    .execute()
  await forEach(services, 'stray payment', due, ({ key }) =>
    inTransaction(db, 'read write', (tx) => refundKept(tx, settings, key)),
  )
}
