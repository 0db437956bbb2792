import { urnString } from '../../protocol/urn.ts'
import type { Settings } from '../context.ts'
import { audit } from '../db/audit.ts'
import { readClock } from '../db/clock.ts'
import type { Tx } from '../db/pool.ts'
import { requestRelease } from '../escrow/release.ts'
import { lockOrderRow } from './find.ts'

/**
 * Gives a custodied payment back whole once its hold has expired, as its payer could take it out of the contract: no
 * order keeps money for ever. False, and nothing changed, for an order that ended, has time left, is not
 * custodied, or whose payment is gone from the chain.
 */
export async function refundExpired(tx: Tx, settings: Settings, orderId: string): Promise<boolean> {
  const order = await lockOrderRow(tx, orderId)
  if (order?.escrow_mode !== 'custodied' || order.expires_at > (await readClock(tx))) return false
  if (order.suspended_at !== null) return false
  const held = await tx
    .selectFrom('market.holds')
    .select('id')
    .where('order_id', '=', orderId)
    .where('status', '=', 'held')
    .executeTakeFirst()
  if (!held) return false
  await audit(tx, { actor: 'service', action: 'order.hold_expired', subject: urnString('order', orderId) })
  await requestRelease(tx, settings, orderId, { refundMicros: order.price_micros })
  return true
}
