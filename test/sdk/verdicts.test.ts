import { before, describe, it } from 'node:test'
import { expect } from 'chai'
import { type PublicKeyJwk, publicKeyJwk, signDocument } from '../../protocol/signing.ts'
import { checkVerdict, type VerdictDocument } from '../../sdk/verdicts.ts'

const SEED = '11'.repeat(32)
const FEE_BPS = 500
const verdict = {
  remedy: 'partial_refund',
  partial_amount_usdc: '40.000000',
  winner: 'party_b',
  price: '100.000000',
  split: { buyer: '40.000000', seller: '57.000000', fee: '3.000000' },
  decided_at: '2026-06-01T12:00:00.000Z',
}

describe('a verdict, checked by whoever is shown it', () => {
  let keys: PublicKeyJwk[]
  before(async () => {
    keys = [await publicKeyJwk(SEED)]
  })

  const faultsOf = async (document: object) => {
    const { keyId: key_id, signature } = await signDocument(document, SEED)
    return checkVerdict({ document: document as VerdictDocument, key_id, signature }, keys, FEE_BPS)
  }

  it('has no fault when the split is that of its remedy and fee', async () => {
    expect(await faultsOf(verdict)).to.deep.equal([])
  })

  it('is no document when a member that is checked is missing or malformed, whoever signed it', async () => {
    for (const change of [
      { split: undefined },
      { split: { ...verdict.split, fee: '3' } },
      { price: 100 },
      { remedy: 'none' },
      { winner: 'nobody' },
      { decided_at: 'then' },
    ])
      expect(await faultsOf({ ...verdict, ...change })).to.deep.equal(['document'])
  })

  it('has a fault when its shares are not those of the fee, or its remedy does something else', async () => {
    expect(await faultsOf({ ...verdict, split: { ...verdict.split, fee: '2.000000' } })).to.deep.equal(['split'])
    expect(await faultsOf({ ...verdict, remedy: 'full_refund' })).to.deep.equal(['remedy'])
  })
})
