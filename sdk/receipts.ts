import type { z } from 'zod'
import type { verifyReceipt as verifyRoute } from '../api/trading/receipts/routes.ts'
import { parseAmount } from '../protocol/amounts.ts'
import { auditDigest, auditLink } from '../protocol/auditChain.ts'
import { canonicalJson, sha256Hex } from '../protocol/canonical.ts'
import type { ReceiptDocument } from '../protocol/receipt.ts'
import { type PublicKeyJwk, verifyDocument } from '../protocol/signing.ts'

/** The answer of GET /v1/receipts/{urn}/verify: keep it to check it at any later time. */
export type ReceiptProof = NonNullable<z.output<(typeof verifyRoute)['answers'][200]['schema']>['proof']>

/** What can be wrong with a proof: the part that does not fit the others. */
export type ReceiptFault = 'document' | 'signature' | 'sum' | 'settlement' | 'audit'

/**
 * Checks a proof offline, against keys kept from /v1/config/public: the signature is over exactly this document, the
 * legs sum to its price, its settlement is among the chain's facts, and the audit log's entry is of this document.
 * Returns the faults, none if all fits. `./market audit` checks whether the chain has those facts. `shown` is another
 * copy of the document, for a reader who may not see it in the proof.
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
  const isSettled = proof.document === null || proof.settlement.some((fact) => fact.tx_hash === document.settlement_ref)
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

function isEntryOf(entry: NonNullable<ReceiptProof['audit']>, document: ReceiptDocument, sha256: string): boolean {
  const digest = Buffer.from(entry.digest, 'hex')
  if (auditLink(Buffer.from(entry.previous_hash, 'hex'), digest).toString('hex') !== entry.hash) return false
  if (entry.content === null) return true
  const { salt, ...content } = entry.content
  const { details, subject } = content
  const isOf =
    subject === document.order_urn && details?.receipt_urn === document.receipt_urn && details.sha256 === sha256
  return isOf && auditDigest(content, Buffer.from(salt, 'hex')).equals(digest)
}
