import { inTransaction } from '../../platform/db/transaction.ts'
import { forEach } from '../../platform/jobs/each.ts'
import type { JobServices } from '../../platform/jobs/services.ts'
import { findUselesslyParked } from '../escrow/queries.ts'
import { refundParkedPayment } from './parkedPayments.ts'

const AT_ONCE = 100

/** Refunds the payments parked for orders that no longer await payment. */
export async function returnStrays(services: JobServices): Promise<void> {
  while (await refundSome(services));
}

/** Returns true when there may be more to refund. */
async function refundSome(services: JobServices): Promise<boolean> {
  const { db, settings } = services
  let refunded = 0
  await forEach(services, 'stray payment', await findUselesslyParked(db, AT_ONCE), async (key) => {
    if (await inTransaction(db, 'read write', (tx) => refundParkedPayment(tx, settings, key))) refunded++
  })
  return refunded === AT_ONCE
}
