import { before, describe, it } from 'node:test'
import { expect } from 'chai'
import { fromHex, toHex } from '../../protocol/encoding/bytes.ts'
import { canonicalJson, sha256Hex } from '../../protocol/encoding/canonical.ts'
import { type PublicKeyJwk, publicKeyJwk, signDocument } from '../../protocol/keys/signing.ts'
import { auditDigest, auditLink } from '../../protocol/records/auditChain.ts'
import type { AuditEntry } from '../../sdk/auditLog.ts'
import { checkReceipt, type ReceiptDocument, type ReceiptProof } from '../../sdk/receipts.ts'
import { expectEachMember } from '../kit/members.ts'

const SEED = '22'.repeat(32)
const document: Required<ReceiptDocument> = {
  receipt_urn: 'market:receipt:1',
  order_urn: 'market:order:1',
  price: '20.000000',
  refunded: '5.000000',
  seller_net: '14.250000',
  market_fee: '0.750000',
  settlement_ref: `0x${'5e'.repeat(32)}`,
  finalized_at: '2026-06-01T12:00:00.000Z',
}
const content: NonNullable<AuditEntry['content']> = {
  ...{ actor: 'service', action: 'receipt.finalize', subject: document.order_urn },
  details: { receipt_urn: document.receipt_urn, sha256: sha256Hex(canonicalJson(document)) },
  ...{ created_at: document.finalized_at, salt: '0a'.repeat(32) },
}

describe('the proof of a receipt, checked by whoever keeps it', () => {
  let keys: PublicKeyJwk[]
  let proof: ReceiptProof
  before(async () => {
    keys = [{ ...(await publicKeyJwk(SEED)), purpose: 'receipts', valid_until: document.finalized_at }]
    proof = await proofOf(document)
  })

  it('has no fault when all of it fits', async () => {
    expect(await checkReceipt(proof, keys)).to.deep.equal([])
    // A reader who may not see it in the proof.
    const bare = { ...proof, document: null, canonical: null }
    expect(await checkReceipt(bare, keys, document)).to.deep.equal([])
    expect(await checkReceipt(bare, keys)).to.deep.equal(['document'])
  })

  it('has a fault in each member that is another', async () => {
    const forged = ['document', 'signature']
    const answers = {
      ...{ sha256: ['document'], canonical: ['document'], key_id: ['signature'], signature: ['signature'] },
      ...{ 'document.receipt_urn': [...forged, 'audit'], 'document.order_urn': [...forged, 'audit'] },
      ...{ 'document.price': [...forged, 'sum', 'audit'], 'document.refunded': [...forged, 'sum', 'audit'] },
      ...{ 'document.seller_net': [...forged, 'sum', 'audit'], 'document.market_fee': [...forged, 'sum', 'audit'] },
      'document.settlement_ref': [...forged, 'settlement', 'audit'],
      'document.finalized_at': [...forged, 'audit'],
      'settlement.*.tx_hash': ['settlement'],
      // Where it stands in the log is shown by the log alone.
      'audit.position': [],
      ...{ 'audit.previous_hash': ['audit'], 'audit.digest': ['audit'], 'audit.hash': ['audit'] },
      ...{ 'audit.content.actor': ['audit'], 'audit.content.action': ['audit'], 'audit.content.subject': ['audit'] },
      ...{ 'audit.content.details.receipt_urn': ['audit'], 'audit.content.details.sha256': ['audit'] },
      ...{ 'audit.content.created_at': ['audit'], 'audit.content.salt': ['audit'] },
    }
    await expectEachMember(proof, answers, (changed) => checkReceipt(changed, keys), { canonical: '{}' })
  })

  it('has a fault when the service itself signs, and logs, what does not fit', async () => {
    const answers = {
      ...{ receipt_urn: [], order_urn: [], settlement_ref: ['settlement'] },
      ...{ price: ['sum'], refunded: ['sum'], seller_net: ['sum'], market_fee: ['sum'] },
      // The key was not valid any more.
      finalized_at: ['signature'],
    }
    const answerOf = async (changed: ReceiptDocument) =>
      checkReceipt({ ...(await proofOf(changed)), settlement: proof.settlement }, keys)
    await expectEachMember(document, answers, answerOf)
  })

  it('has a fault when its entry of the log, itself in order, is of another receipt or order', async () => {
    const other = ['audit']
    const answers = {
      // Who wrote it when is what the entry says, and nothing else does.
      ...{ actor: [], action: other, created_at: [], salt: [] },
      ...{ subject: other, 'details.receipt_urn': other, 'details.sha256': other },
    }
    const answerOf = (changed: typeof content) => checkReceipt({ ...proof, audit: entryOf(changed) }, keys)
    await expectEachMember(content, answers, answerOf)
  })
})

function entryOf(said: typeof content): AuditEntry {
  const { salt, ...rest } = said
  const digest = auditDigest(rest, fromHex(salt))
  const previous = fromHex('0b'.repeat(32))
  const hash = toHex(auditLink(previous, digest))
  return { position: 7, previous_hash: toHex(previous), digest: toHex(digest), hash, content: said }
}

async function proofOf(of: ReceiptDocument): Promise<Required<ReceiptProof>> {
  const { keyId, signature } = await signDocument(of, SEED)
  const details = { receipt_urn: of.receipt_urn, sha256: sha256Hex(canonicalJson(of)) }
  return {
    ...{ sha256: details.sha256, key_id: keyId, signature, document: of, canonical: canonicalJson(of) },
    settlement: [{ tx_hash: of.settlement_ref }],
    audit: entryOf({ ...content, subject: of.order_urn, details }),
  }
}
