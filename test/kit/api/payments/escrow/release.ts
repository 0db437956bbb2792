import type { Settings } from '../../../../../api/context.ts'
import { lockOrderRow } from '../../../../../api/payments/escrow/queries.ts'
import { requestRelease } from '../../../../../api/payments/escrow/release.ts'
import type { Tx } from '../../../../../api/platform/db/pool.ts'

/** Has the hold of an order released, as a verb does that has locked the order. */
export async function release(
  tx: Tx,
  settings: Settings,
  orderId: string,
  how: Parameters<typeof requestRelease>[3],
): Promise<void> {
  const order = await lockOrderRow(tx, orderId)
  if (!order) throw new Error(`there is no order ${orderId}`)
  await requestRelease(tx, settings, order, how)
}
