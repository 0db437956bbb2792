import type { Tx } from '../../platform/db/pool.ts'
import type { OrderRow } from '../orders/record/find.ts'

/**
 * Records the notice that delivered an order, under the number of its delivery. The order must be locked and delivered
 * by this notice. Throws an Error for an order that was never funded.
 */
export async function recordNotice(
  tx: Tx,
  { id: orderId, deliveries: number, sla_due_at }: OrderRow,
  { messageId, outputHash }: { messageId: string; outputHash: string },
): Promise<void> {
  if (sla_due_at === null) throw new Error(`order ${orderId} was delivered and never funded`)
  await tx
    .insertInto('market.delivery_notices')
    .values({ order_id: orderId, number, message_id: messageId, output_hash: outputHash, sla_due_at })
    .execute()
}
