import { criteriaSha256 } from '../../../protocol/records/baseline.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { readMeasures } from './read.ts'
import { byteChecks } from './results.ts'

/**
 * Requests checks of an order's uploads against its criteria in force, and deletes the results for earlier
 * criteria. Requests none for a sealed order, whose bytes the service may be unable to read, nor if no
 * criterion has a check of bytes. The order must be locked.
 */
export async function requestChecks(
  tx: Tx,
  order: { id: string; sealed: boolean },
  deliveryId?: string,
): Promise<void> {
  const earlier = tx.deleteFrom('market.delivery_checks').where('order_id', '=', order.id)
  if (deliveryId === undefined) await earlier.execute()
  const measure = order.sealed ? undefined : (await readMeasures(tx, [order.id])).get(order.id)
  if (!measure || byteChecks(measure.criteria).length === 0) return
  const uploads = tx.selectFrom('market.deliveries').select('id').where('order_id', '=', order.id)
  const ids = deliveryId === undefined ? (await uploads.execute()).map(({ id }) => id) : [deliveryId]
  if (ids.length === 0) return
  const checks = { order_id: order.id, criteria_sha256: criteriaSha256(measure) }
  await tx
    .insertInto('market.delivery_checks')
    .values(ids.map((delivery_id) => ({ delivery_id, ...checks, results: null })))
    .execute()
}

/** Returns whether an upload of the order is yet to be checked. */
export async function hasPendingChecks(tx: Tx, orderId: string): Promise<boolean> {
  const pending = tx.selectFrom('market.delivery_checks').select('delivery_id').where('order_id', '=', orderId)
  return (await pending.where('results', 'is', null).limit(1).executeTakeFirst()) !== undefined
}
