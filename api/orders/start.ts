import type { Tx } from '../db/pool.ts'
import type { OrderRow } from './find.ts'
import { transition } from './transition.ts'

/** The seller says it has begun. Throws 409 unless the order is funded. */
export async function startOrder(tx: Tx, order: OrderRow): Promise<OrderRow> {
  return transition(tx, order.id, 'start')
}
