import { v7 as uuidv7 } from 'uuid'
import type { Tx } from '../../platform/db/pool.ts'
import type { OrderRow } from '../orders/find.ts'

/** Opens the thread of an order that was just funded (spec 2.9). Returns its id. */
export async function openThread(tx: Tx, { id: orderId, sealed }: OrderRow): Promise<string> {
  const id = uuidv7()
  await tx.insertInto('market.threads').values({ id, order_id: orderId, sealed }).execute()
  return id
}
