import type { Settings } from '../../../../api/context.ts'
import type { Tx } from '../../../../api/platform/db/pool.ts'
import { lockOrderRow } from '../../../../api/trading/orders/record/find.ts'
import { acceptOrder } from '../../../../api/trading/orders/work/accept.ts'

/** Accepts an order as its buyer's call does: locks it, then runs the verb. */
export async function acceptAsBuyer(tx: Tx, settings: Settings, orderId: string): Promise<void> {
  const order = await lockOrderRow(tx, orderId)
  if (!order) throw new Error(`there is no order ${orderId}`)
  await acceptOrder(tx, settings, order)
}
