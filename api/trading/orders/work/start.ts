import type { Tx } from '../../../platform/db/pool.ts'
import type { OrderRow } from '../record/find.ts'
import { transition } from '../record/transition.ts'

/** Records that the seller has begun the work. Throws 409 unless the order is funded. */
export async function startOrder(tx: Tx, order: OrderRow): Promise<OrderRow> {
  return transition(tx, order.id, 'start')
}
