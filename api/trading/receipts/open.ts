import { v7 as uuidv7 } from 'uuid'
import type { Tx } from '../../platform/db/pool.ts'

/** Opens the receipt of an order that was just funded (spec 2.10). Returns its id. */
export async function openReceipt(tx: Tx, orderId: string): Promise<string> {
  const id = uuidv7()
  await tx.insertInto('market.receipts').values({ id, order_id: orderId }).execute()
  return id
}
