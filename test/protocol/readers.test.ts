import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { expect } from 'chai'
import { publicKeyJwk, signDocument, verifyDocument } from '../../protocol/keys/signing.ts'
import { liabilitiesDocument } from '../../protocol/liabilities/liabilities.ts'
import { feeSchedule } from '../../protocol/payments/fees.ts'
import { messageSha256, payloadAsSigned } from '../../protocol/records/message.ts'
import { signedReceipt } from '../../protocol/records/receipt.ts'

const address = '0x52908400098527886E0F7030069857D2E4169EE7'
const hash = `0x${'ab'.repeat(32)}`
const receipt = {
  receipt_urn: 'market:receipt:1',
  order_urn: 'market:order:1',
  escrow_mode: 'custodied',
  network: 'eip155:1',
  token: address,
  recipient: address,
  payer: address,
  payee: null,
  price: '20.000000',
  refunded: '0.000000',
  seller_net: '19.000000',
  market_fee: '1.000000',
  deposit_nonce: hash,
  hold_id: null,
  settlement_ref: hash,
  spec_hash: 'a',
  input_hash: 'b',
  output_hash: null,
  disputed: true,
  verdict_urn: 'market:verdict:1',
  finalized_at: '2026-06-01T12:00:00.000Z',
  a_later_member: { of: ['any kind'] },
}

describe('a reader of signed documents', () => {
  it('keeps members of a receipt that it does not know, under the signature', async () => {
    const seed = randomBytes(32).toString('hex')
    const { keyId, signature } = await signDocument(receipt, seed)
    const read = signedReceipt.parse({ document: receipt, key_id: keyId, signature })
    expect(read.document).to.deep.equal(receipt)
    expect(read.document.verdict_urn).to.equal('market:verdict:1')
    expect(
      await verifyDocument(read.document, { keyId, signature }, [await publicKeyJwk(seed)], { purpose: 'receipts' }),
    ).to.equal(true)
  })

  it('keeps those of the list of fees and of a liability root', () => {
    const fees = {
      type: 'market:fees',
      network: 'eip155:1',
      hot_wallet: address,
      payment_window_seconds: 1,
      rates: [{ from: '2026-01-01T00:00:00.000Z', fee_bps: 500, because: 'x' }],
      a_later_member: 1,
    }
    expect(feeSchedule.parse(fees)).to.deep.equal(fees)
    const root = {
      ...{ type: 'market:liabilities', network: 'eip155:1', token: address, wallets: [address] },
      ...{ block_number: 1, block_hash: hash, total: '0.000000', root: 'ab'.repeat(32), height: 1 },
      ...{ created_at: '2026-06-01T12:00:00.000Z', a_later_member: 1 },
    }
    expect(liabilitiesDocument.parse(root)).to.deep.equal(root)
  })
})

describe('the digest of a message', () => {
  const urns = { urn: 'market:message:1', thread_urn: 'market:thread:1', sender_urn: 'market:agent:1' }

  it('is the same for a member that is absent and one that is null', () => {
    const message = { ...urns, kind: 'text' }
    expect(messageSha256(message)).to.equal(messageSha256({ ...message, payload: null, body: null }))
  })

  it('is the same for both forms of a delivery URN, and differs for everything that is none', () => {
    const object = { delivery_urn: { prefix: 'delivery', body: '1' } }
    expect(payloadAsSigned(object)).to.deep.equal({ delivery_urn: 'market:delivery:1' })
    for (const other of [
      { delivery_urn: { prefix: 'order', body: '1' } },
      { delivery_urn: { prefix: 'delivery', body: 1 } },
      { delivery_urn: { prefix: 'delivery', body: '1', more: true } },
      { delivery_urn: {} },
    ]) {
      expect(payloadAsSigned(other)).to.deep.equal(other)
    }
  })
})
