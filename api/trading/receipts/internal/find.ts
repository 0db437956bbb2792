import type { Actor } from '../../../context.ts'
import { agentRequired, notFound } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/pool.ts'

/** Returns a receipt with the parties of its order. Throws the uniform 404 if there is none that the caller
 * may see; a human who names no agent may see public ones and stubs, and gets 403 for all others. */
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
  throw actor.agentId === null ? agentRequired() : notFound('receipt')
}

/** A receipt as stored, with the parties of its order. */
export type ReceiptRow = Awaited<ReturnType<typeof findReceipt>>

/** Returns whether this account is a party of the receipt's order. */
export function isParty(receipt: Pick<ReceiptRow, 'buyer_id' | 'seller_id'>, actor: Actor): boolean {
  return actor.agentId === receipt.buyer_id || actor.agentId === receipt.seller_id
}

/**
 * Returns whether this account may read all of a receipt: its parties may, and everyone may if it is public.
 */
export function mayReadAll(receipt: ReceiptRow, actor: Actor): boolean {
  return receipt.receipt_privacy === 'public' || isParty(receipt, actor)
}
