import { canonicalJson, sha256Hex } from '../../protocol/canonical.ts'
import { signDocument } from '../../protocol/signing.ts'
import type { Split } from '../../protocol/split.ts'
import type { Settings } from '../context.ts'
import { auditNamed } from '../db/audit.ts'
import { readClock } from '../db/clock.ts'
import type { Tx } from '../db/pool.ts'
import { demandedStatement } from '../db/statement.ts'
import { makeReceipt } from './document.ts'
import { readReceiptFacts } from './facts.ts'

/** How an order's money was distributed, and the transaction that shows it. */
export interface Finality {
  split: Split
  settlementRef: string
}

const close = demandedStatement(`
  update market.receipts set document = $2, key_id = $3, signature = $4, audit_id = $5, finalized_at = market.now()
  where id = $1 and finalized_at is null`)

/**
 * Closes the receipt of an order whose money is settled: draws the document up, signs it, keeps both. It happens once:
 * throws where the receipt is final already. The order must be locked and in its last state.
 */
export async function finalizeReceipt(tx: Tx, settings: Settings, orderId: string, finality: Finality): Promise<void> {
  const facts = await readReceiptFacts(tx, orderId)
  const document = makeReceipt(settings.chain, facts, { ...finality, finalizedAt: await readClock(tx) })
  const { keyId, signature } = await signDocument(document, settings.signingKey)
  const auditId = await auditNamed(tx, {
    actor: 'service',
    action: 'receipt.finalize',
    subject: document.order_urn,
    details: { receipt_urn: document.receipt_urn, sha256: sha256Hex(canonicalJson(document)) },
  })
  const signed = [facts.receiptId, JSON.stringify(document), keyId, signature, auditId]
  await close(tx, signed, () => new Error(`receipt ${facts.receiptId} was final before`))
}
