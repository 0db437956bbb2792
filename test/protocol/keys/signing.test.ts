import { describe, it } from 'node:test'
import { expect } from 'chai'
import { publicKeyJwk, type SignedAs, signDocument, verifyDocument } from '../../../protocol/keys/signing.ts'

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

  it('verifies for what its key is for and from the first to the last instant of the key, and not a millisecond around', async () => {
    const signed = await signDocument(document, seed)
    const [from, until] = ['2026-01-01T00:00:00.000Z', '2026-06-01T00:00:00.000Z']
    const key = { ...(await publicKeyJwk(seed)), purpose: 'verdicts' as const, valid_from: from, valid_until: until }
    const verify = (as: SignedAs) => verifyDocument(document, signed, [key], as)
    expect(await verify({ purpose: 'verdicts' })).to.equal(true)
    expect(await verify({ purpose: 'receipts' })).to.equal(false)
    for (const [at, isValid] of [
      ['2025-12-31T23:59:59.999Z', false],
      [from, true],
      [until, true],
      ['2026-06-01T00:00:00.001Z', false],
      ['no instant', false],
    ] as const) {
      expect(await verify({ purpose: 'verdicts', at }), at).to.equal(isValid)
    }
    const inUse = { ...key, valid_until: undefined }
    const late = { purpose: 'verdicts', at: '2036-01-01T00:00:00.000Z' } as const
    expect(await verifyDocument(document, signed, [inUse], late)).to.equal(true)
  })

  it('is taken in one spelling alone, of the signature and of the key', async () => {
    const signed = await signDocument(document, seed)
    const key = await publicKeyJwk(seed)
    const { signature } = signed
    // The last of 86 characters carries four bits that no byte has.
    const respelt = signature.slice(0, -1) + String.fromCharCode(signature.charCodeAt(85) + 1)
    for (const other of [
      `A${signature}`,
      `${signature}A`,
      `${signature}=`,
      ` ${signature}`,
      `${signature}\n`,
      respelt,
    ]) {
      expect(await verifyDocument(document, { ...signed, signature: other }, [key], { purpose: 'receipts' })).to.equal(
        false,
      )
    }
    for (const x of [`A${key.x}`, `${key.x}A`, `${key.x}=`, `${key.x}\n`]) {
      expect(await verifyDocument(document, signed, [{ ...key, x }], { purpose: 'receipts' }), x).to.equal(false)
    }
  })
})
