import { sql } from 'kysely'
import { urnString } from '../../../../../protocol/encoding/urn.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import { readClock } from '../../../../platform/db/clock.ts'
import type { Tx } from '../../../../platform/db/pool.ts'
import type { OrderRow } from '../../record/find.ts'
import { transition } from '../../record/transition.ts'

/** The reason for which the service cancels an order that was not paid. */
const UNPAID = 'unpaid'

/**
 * Cancels a locked order that was never paid. Its offer must have expired, and every stored authorization
 * must be proved unused and marked failed. Returns false, changing nothing, otherwise.
 */
export async function expireOrder(tx: Tx, order: OrderRow): Promise<boolean> {
  const { id: orderId } = order
  if (order.state !== 'placed' || order.valid_before > (await readClock(tx))) return false
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
