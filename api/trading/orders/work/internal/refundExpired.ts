import { urnString } from '../../../../../protocol/encoding/urn.ts'
import type { Settings } from '../../../../context.ts'
import { requestRelease } from '../../../../payments/escrow/release.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import { readClock } from '../../../../platform/db/clock.ts'
import type { Tx } from '../../../../platform/db/pool.ts'
import { lockOrderRow } from '../../record/find.ts'
import { cancelExpired, isUndelivered } from './cancelExpired.ts'

/**
 * Refunds a custodied payment in full once its hold has expired, as a payer could reclaim it from the
 * contract: no order keeps money forever. An order of which nothing was delivered is cancelled. Returns
 * false, changing nothing, for an order that has ended, is disputed, has time left or is not custodied, or
 * whose payment a reorganisation has removed.
 */
export async function refundExpired(tx: Tx, settings: Settings, orderId: string): Promise<boolean> {
  const order = await lockOrderRow(tx, orderId)
  if (order?.escrow_mode !== 'custodied' || order.expires_at > (await readClock(tx))) return false
  if (order.suspended_at !== null || order.state === 'disputed') return false
  const held = await tx
    .selectFrom('market.holds')
    .select('id')
    .where('order_id', '=', orderId)
    .where('status', '=', 'held')
    .executeTakeFirst()
  if (!held) return false
  await audit(tx, { actor: 'service', action: 'order.hold_expired', subject: urnString('order', orderId) })
  const elapsedSeconds = order.funded_at ? (order.expires_at.getTime() - order.funded_at.getTime()) / 1_000 : 0
  const ended = isUndelivered(order.state) ? await cancelExpired(tx, orderId) : order
  await requestRelease(tx, settings, ended, { refundMicros: order.price_micros, elapsedSeconds })
  return true
}
