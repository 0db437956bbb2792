import type { Actor } from '../context.ts'
import type { Tx } from '../db/pool.ts'
import { notFound } from '../errors.ts'

/** A receipt with the parties of its order. Throws 404 when there is none. */
export async function findReceipt(tx: Tx, receiptId: string) {
  const receipt = await tx
    .selectFrom('market.receipts as receipt')
    .innerJoin('market.orders as order', 'order.id', 'receipt.order_id')
    .select([
      'receipt.id',
      'receipt.order_id',
      'receipt.disputed',
      'receipt.document',
      'receipt.key_id',
      'receipt.signature',
      'order.state',
      'order.buyer_id',
      'order.seller_id',
    ])
    .where('receipt.id', '=', receiptId)
    .executeTakeFirst()
  if (receipt) return receipt
  throw notFound('receipt')
}

/** A receipt as its row holds it, with the parties of its order. */
export type ReceiptRow = Awaited<ReturnType<typeof findReceipt>>

/** Whether this account may read all of a receipt. */
export function isParty(receipt: ReceiptRow, actor: Actor): boolean {
  return actor.agentId === receipt.buyer_id || actor.agentId === receipt.seller_id
}
