import { describe, it } from 'node:test'
import { expect } from 'chai'
import { publicKeyJwk, signDocument, verifyDocument } from '../../protocol/signing.ts'

const seed = '11'.repeat(32)
const document = { price: '20.000000', order_urn: 'market:order:1' }

describe('a signed document', () => {
  it('verifies under the published key, whatever the order of its members', async () => {
    const signed = await signDocument(document, seed)
    const reordered = { order_urn: document.order_urn, price: document.price }
    expect(await verifyDocument(reordered, signed, [await publicKeyJwk(seed)], { purpose: 'receipts' })).to.equal(true)
  })

  it('does not verify when a member changed, under another key, or with a mangled signature', async () => {
    const signed = await signDocument(document, seed)
    const keys = [await publicKeyJwk(seed)]
    const other = await publicKeyJwk('22'.repeat(32))
    expect(await verifyDocument({ ...document, price: '21.000000' }, signed, keys, { purpose: 'receipts' })).to.equal(
      false,
    )
    expect(await verifyDocument(document, signed, [other], { purpose: 'receipts' })).to.equal(false)
    expect(await verifyDocument(document, signed, [{ ...other, kid: signed.keyId }], { purpose: 'receipts' })).to.equal(
      false,
    )
    expect(await verifyDocument(document, { ...signed, signature: 'AAAA' }, keys, { purpose: 'receipts' })).to.equal(
      false,
    )
    expect(await verifyDocument(document, { ...signed, signature: '!' }, keys, { purpose: 'receipts' })).to.equal(false)
  })
})
