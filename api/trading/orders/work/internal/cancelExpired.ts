import { sql } from 'kysely'
import type { OrderState } from '../../../../platform/db/generated/tables.ts'
import type { Tx } from '../../../../platform/db/pool.ts'
import type { OrderRow } from '../../record/find.ts'
import { transition } from '../../record/transition.ts'

/** Whether a paid order has had no delivery. */
export function isUndelivered(state: OrderState): boolean {
  return state === 'funded' || state === 'in_flight'
}

/**
 * Cancels a paid order of which nothing was delivered until its hold expired, in either mode. Throws 409 in
 * any other state.
 */
export function cancelExpired(tx: Tx, orderId: string): Promise<OrderRow> {
  return transition(tx, orderId, 'cancel', { reason: 'hold_expired', closed_at: sql`market.now()` })
}
