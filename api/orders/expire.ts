import { sql } from 'kysely'
import { urnString } from '../../protocol/urn.ts'
import { audit } from '../db/audit.ts'
import { readClock } from '../db/clock.ts'
import type { Tx } from '../db/pool.ts'
import { lockOrderRow } from './find.ts'
import { transition } from './transition.ts'

/** Why the service cancelled an order: nobody paid it. */
const UNPAID = 'unpaid'

/**
 * Cancels an order that was never paid. Its offer must be over, and every authorization on file for it be proved
 * unused and marked failed. False, and nothing changed, otherwise.
 */
export async function expireOrder(tx: Tx, orderId: string): Promise<boolean> {
  const order = await lockOrderRow(tx, orderId)
  if (order?.state !== 'placed' || order.valid_before > (await readClock(tx))) return false
  const live = await tx
    .selectFrom('market.authorizations')
    .select('id')
    .where('order_id', '=', orderId)
    .where('state', '<>', 'failed')
    .executeTakeFirst()
  if (live) return false
  await transition(tx, orderId, 'expire', { reason: UNPAID, closed_at: sql`market.now()` })
  await audit(tx, { actor: 'service', action: 'order.expire', subject: urnString('order', orderId) })
  return true
}
