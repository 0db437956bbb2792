import { sql } from 'kysely'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { Settings } from '../../../context.ts'
import { requireAllowed } from '../../../errors.ts'
import { announce } from '../../../platform/announcements/announce.ts'
import { audit } from '../../../platform/audit/audit.ts'
import { readClock } from '../../../platform/db/clock.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { OrderRejected } from '../record/announcements.ts'
import type { OrderRow } from '../record/find.ts'
import { refuseReject } from '../record/guards.ts'
import { transition } from '../record/transition.ts'

/**
 * Rejects a delivery: the seller may deliver again within the rejection window (spec 3.1). The order must be
 * locked and the caller its buyer. Throws 409 unless a delivery is undecided and the window open.
 */
export async function rejectOrder(
  tx: Tx,
  settings: Settings,
  order: OrderRow,
  reason: string | null,
): Promise<OrderRow> {
  requireAllowed(refuseReject({ order, now: await readClock(tx) }))
  const rejected = await transition(tx, order.id, 'reject', {
    reason,
    redeliver_by: sql`market.now() + make_interval(secs => ${settings.rules.rejectionWindowSeconds})`,
  })
  await tx.insertInto('market.rejections').values({ order_id: order.id, number: order.deliveries, reason }).execute()
  await audit(tx, {
    actor: urnString('agent', order.buyer_id),
    action: 'order.reject',
    subject: urnString('order', order.id),
  })
  await announce(tx, settings, OrderRejected, { order: rejected, reason })
  return rejected
}
