import { parseAmount } from '../protocol/encoding/amounts.ts'
import { fromHex, toHex } from '../protocol/encoding/bytes.ts'
import { canonicalJson, sha256Hex } from '../protocol/encoding/canonical.ts'
import { type PublicKeyJwk, verifyDocument } from '../protocol/keys/signing.ts'
import { auditDigest, auditLink } from '../protocol/records/auditChain.ts'
import type { AuditEntry } from './auditLog.ts'

// The form in which the service writes digests and salts.
const HEX = /^[0-9a-f]{64}$/

/** The members of a receipt's document that are checked; the signature covers all of them. */
export interface ReceiptDocument {
  receipt_urn: string
  order_urn: string
  price: string
  refunded: string
  seller_net: string
  market_fee: string
  settlement_ref: string
  finalized_at: string
}

/** The `proof` of GET /v1/receipts/{urn}/verify: keep it to check it at any later time. */
export interface ReceiptProof {
  sha256: string
  key_id: string
  signature: string
  document: ReceiptDocument | null
  canonical: string | null
  settlement: readonly { tx_hash: string }[]
  audit: AuditEntry | null
}

/** What can be wrong with a proof: the part that does not fit the others. */
export type ReceiptFault = 'document' | 'signature' | 'sum' | 'settlement' | 'audit'

/**
 * Checks a proof offline, against keys kept from /v1/config/public: the signature is over exactly this
 * document, the legs sum to its price, its settlement is among the chain's facts, and the audit log's entry
 * is of this document. Returns the faults, none if all fits. `./market audit` checks whether the chain has
 * those facts. `shown` is another copy of the document, for a reader who may not see it in the proof.
 */
export async function checkReceipt(
  proof: ReceiptProof,
  keys: readonly PublicKeyJwk[],
  shown?: ReceiptDocument,
): Promise<ReceiptFault[]> {
  const document = shown ?? proof.document
  if (document === null) return ['document']
  const canonical = canonicalJson(document)
  const sha256 = sha256Hex(canonical)
  const isSame = sha256 === proof.sha256 && (proof.canonical === null || proof.canonical === canonical)
  const isSigned = await verifyDocument(document, { keyId: proof.key_id, signature: proof.signature }, keys, {
    purpose: 'receipts',
    at: document.finalized_at,
  })
  const isSettled =
    proof.document === null || proof.settlement.some((event) => event.tx_hash === document.settlement_ref)
  const checks: [ReceiptFault, boolean][] = [
    ['document', isSame],
    ['signature', isSigned],
    ['sum', sums(document)],
    ['settlement', isSettled],
    ['audit', proof.audit === null || isEntryOf(proof.audit, document, sha256)],
  ]
  return checks.filter(([, fits]) => !fits).map(([fault]) => fault)
}

function sums({ price, refunded, seller_net, market_fee }: ReceiptDocument): boolean {
  const micros = (text: string) => parseAmount(text) ?? -1n
  return micros(price) === micros(refunded) + micros(seller_net) + micros(market_fee)
}

function isEntryOf(entry: AuditEntry, document: ReceiptDocument, sha256: string): boolean {
  if (![entry.previous_hash, entry.digest].every((text) => HEX.test(text))) return false
  if (toHex(auditLink(fromHex(entry.previous_hash), fromHex(entry.digest))) !== entry.hash) return false
  if (entry.content === null) return true
  const { salt, ...content } = entry.content
  const { action, details, subject } = content
  const isOf =
    action === 'receipt.finalize' &&
    subject === document.order_urn &&
    details?.receipt_urn === document.receipt_urn &&
    details.sha256 === sha256
  return isOf && HEX.test(salt) && toHex(auditDigest(content, fromHex(salt))) === entry.digest
}
