import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/pool.ts'
import type { JobServices } from '../../../platform/jobs/services.ts'
import { RECLAIMABLE } from '../record/states.ts'
import { announceOrder } from '../record/transition.ts'
import { type Deadline, untilNext, untilNoneIsDue } from './deadlines.ts'

// The contract gives an expired hold to its payer alone, who has to ask for it. A dispute does not keep it
// from them.
const expiry: Deadline = {
  column: 'expires_at',
  orders: (db) =>
    db
      .selectFrom('market.orders')
      .where('escrow_mode', '=', 'contract')
      .where('hold_expired_at', 'is', null)
      .where('state', 'in', RECLAIMABLE),
}

/** Tells, once, of each hold in the contract that expired while its order was open. */
export function tellOfExpiredHolds(services: JobServices): Promise<void> {
  return untilNoneIsDue(services, 'hold that can be reclaimed', expiry, tellOfExpiredHold)
}

/** Returns the milliseconds until the next hold in the contract expires. */
export const nextReclaimInMs = ({ db }: JobServices) => untilNext(db, expiry)

/**
 * Records that the hold of an open order has expired in the contract, and emits an event to its parties: its
 * payer can take the money back. The order ends when the chain shows that. Returns false if that was recorded
 * before or is not the case.
 */
async function tellOfExpiredHold(tx: Tx, orderId: string): Promise<boolean> {
  const order = await tx
    .updateTable('market.orders')
    .set({ hold_expired_at: sql`market.now()` })
    .where('id', '=', orderId)
    .where('escrow_mode', '=', 'contract')
    .where('state', 'in', RECLAIMABLE)
    .where('hold_expired_at', 'is', null)
    .where('suspended_at', 'is', null)
    .where('expires_at', '<=', sql<Date>`market.now()`)
    .returningAll()
    .executeTakeFirst()
  if (!order) return false
  await announceOrder(tx, order, 'order.hold_expired')
  return true
}
