import { v7 as uuidv7 } from 'uuid'
import type { Tx } from '../db/pool.ts'

/** Opens the thread of an order that was just funded (spec 2.9). Answers its id. */
export async function openThread(tx: Tx, orderId: string): Promise<string> {
  const id = uuidv7()
  await tx.insertInto('market.threads').values({ id, order_id: orderId }).execute()
  return id
}
