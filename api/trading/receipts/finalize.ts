import { sql } from 'kysely'
import { canonicalJson, sha256Hex } from '../../../protocol/encoding/canonical.ts'
import type { Split } from '../../../protocol/payments/split.ts'
import type { Settings } from '../../context.ts'
import { audit } from '../../platform/audit/audit.ts'
import { readClock } from '../../platform/db/clock.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { signAs } from '../../platform/signing/keys.ts'
import type { OrderRow } from '../orders/record/find.ts'
import { recordReputation } from '../reputation/record.ts'
import { makeReceipt } from './internal/document.ts'
import { readReceiptInput } from './internal/receiptInput.ts'

/** How an order's money was distributed, and the transaction that shows it. */
export interface Finality {
  split: Split
  settlementRef: string
}

/**
 * Finalizes the receipt of an order whose money is settled: builds the document, signs it, stores both.
 * Throws if the receipt is already final. The order must be locked and in its last state.
 */
export async function finalizeReceipt(
  tx: Tx,
  settings: Pick<Settings, 'chain' | 'rules' | 'signingKey'>,
  order: OrderRow,
  finality: Finality,
): Promise<void> {
  const input = await readReceiptInput(tx, order)
  const document = makeReceipt(settings.chain, input, { ...finality, finalizedAt: await readClock(tx) })
  const { keyId, signature } = await signAs(tx, settings, 'receipts', document)
  const auditId = await audit(tx, {
    actor: 'service',
    action: 'receipt.finalize',
    subject: document.order_urn,
    details: { receipt_urn: document.receipt_urn, sha256: sha256Hex(canonicalJson(document)) },
  })
  await tx
    .updateTable('market.receipts')
    .set({
      document: JSON.stringify(document),
      key_id: keyId,
      signature,
      audit_id: auditId,
      finalized_at: sql<Date>`market.now()`,
    })
    .where('id', '=', input.receiptId)
    .where('finalized_at', 'is', null)
    .returning('id')
    .executeTakeFirstOrThrow(() => new Error(`receipt ${input.receiptId} is final already`))
  await recordReputation(tx, settings, order.id)
}
