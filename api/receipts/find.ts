import type { Actor } from '../context.ts'
import type { Tx } from '../db/pool.ts'
import { notFound } from '../errors.ts'

/** A receipt with the parties of its order. Throws the uniform 404 when there is none that the caller may know of. */
export async function findReceipt(tx: Tx, receiptId: string, actor: Actor) {
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
      'receipt.audit_id',
      'order.state',
      'order.receipt_privacy',
      'order.buyer_id',
      'order.seller_id',
    ])
    .where('receipt.id', '=', receiptId)
    .executeTakeFirst()
  if (receipt && (receipt.receipt_privacy !== 'private' || isParty(receipt, actor))) return receipt
  throw notFound('receipt')
}

/** A receipt as its row holds it, with the parties of its order. */
export type ReceiptRow = Awaited<ReturnType<typeof findReceipt>>

/** Whether this account is one of the two that the receipt is between. */
export function isParty(receipt: Pick<ReceiptRow, 'buyer_id' | 'seller_id'>, actor: Actor): boolean {
  return actor.agentId === receipt.buyer_id || actor.agentId === receipt.seller_id
}

/** Whether this account may read all of a receipt: its parties, and everyone where they trade in public. */
export function mayReadAll(receipt: ReceiptRow, actor: Actor): boolean {
  return receipt.receipt_privacy === 'public' || isParty(receipt, actor)
}
