import { urn } from '../../../../protocol/encoding/urn.ts'
import type { ReceiptDocument } from '../../../../protocol/records/receipt.ts'
import type { Actor } from '../../../context.ts'
import { mayReadAll, type ReceiptRow } from './find.ts'

/** Returns a ReceiptStub: what anyone with a token may read of a receipt (spec 2.10). */
export function toStub(receipt: ReceiptRow) {
  return { urn: urn('receipt', receipt.id), order_urn: urn('order', receipt.order_id), disputed: receipt.disputed }
}

/** Returns a receipt as this account may read it. */
export function toReceipt(receipt: ReceiptRow, actor: Actor) {
  if (!mayReadAll(receipt, actor)) return toStub(receipt)
  const { document, key_id, signature } = receipt
  // The stored document is exactly the signed one; only finalizeReceipt stores it.
  const signed = document && key_id && signature ? { document: document as ReceiptDocument, key_id, signature } : null
  return { ...toStub(receipt), signed }
}
