import { before, describe, it } from 'node:test'
import { expect } from 'chai'
import { type PublicKeyJwk, publicKeyJwk, signDocument } from '../../protocol/keys/signing.ts'
import { checkVerdict, type VerdictDocument } from '../../sdk/verdicts.ts'
import { expectEachMember } from '../kit/members.ts'

const SEED = '11'.repeat(32)
const FEE_BPS = 500
const [BUYER, SELLER] = ['market:agent:buyer', 'market:agent:seller']
const verdict: Required<VerdictDocument> = {
  party_a: BUYER,
  opener: BUYER,
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
    keys = [{ ...(await publicKeyJwk(SEED)), purpose: 'verdicts', valid_until: verdict.decided_at }]
  })

  const faultsOf = async (document: object, signedAs = document) => {
    const { keyId: key_id, signature } = await signDocument(signedAs, SEED)
    return checkVerdict({ document: document as VerdictDocument, key_id, signature }, keys, FEE_BPS)
  }

  it('has no fault when the split is that of its remedy and fee', async () => {
    expect(await faultsOf(verdict)).to.deep.equal([])
    const { partial_amount_usdc: _, ...whole } = { ...verdict, remedy: 'full_refund', winner: 'party_a' }
    const all = { ...whole, split: { buyer: '100.000000', seller: '0.000000', fee: '0.000000' } }
    const nothing = {
      ...{ ...whole, remedy: 'release_to_seller', winner: 'party_b' },
      split: { buyer: '0.000000', seller: '95.000000', fee: '5.000000' },
    }
    for (const right of [all, nothing]) {
      expect(await faultsOf(right)).to.deep.equal([])
      // A part that is none.
      const partial_amount_usdc = right.split.buyer
      expect(await faultsOf({ ...right, partial_amount_usdc })).to.deep.equal(['remedy'])
      expect(await faultsOf({ ...right, remedy: 'partial_refund', partial_amount_usdc })).to.deep.equal(['remedy'])
    }
  })

  it('is no document when a member that is checked is missing or malformed, whoever signed it', async () => {
    for (const change of [
      { split: undefined },
      { split: { ...verdict.split, fee: '3' } },
      { price: 100 },
      { remedy: 'none' },
      { winner: 'nobody' },
      { opener: undefined },
      { decided_at: 'then' },
    ])
      expect(await faultsOf({ ...verdict, ...change })).to.deep.equal(['document'])
  })

  it('has a fault in each member that is another, though it is signed again', async () => {
    const others = { remedy: 'full_refund', price: '100.000001', 'split.seller': '57.000001' }
    const answers = {
      ...{ winner: ['winner'], remedy: ['remedy'], partial_amount_usdc: ['remedy'], price: ['split'] },
      ...{ 'split.buyer': ['split', 'remedy'], 'split.seller': ['split'], 'split.fee': ['split'] },
      // The key was not valid any more.
      decided_at: ['signature'],
      // Who opened it matters at a tie.
      ...{ party_a: [], opener: [] },
    }
    await expectEachMember(verdict, answers, (document) => faultsOf(document), others)
    for (const member of Object.keys(verdict))
      expect(await faultsOf({ ...verdict, [member]: 'another' }, verdict), member).to.not.deep.equal([])
  })

  it('has the winner who did not open it where both get the same, and signature over who did', async () => {
    const split = { buyer: '50.000000', seller: '47.500000', fee: '2.500000' }
    const tie = { ...verdict, partial_amount_usdc: '50.000000', split }
    expect(await faultsOf(tie)).to.deep.equal([])
    expect(await faultsOf({ ...tie, opener: SELLER })).to.deep.equal(['winner'])
    expect(await faultsOf({ ...tie, opener: SELLER, winner: 'party_a' })).to.deep.equal([])
    expect(await faultsOf({ ...tie, opener: SELLER, winner: 'party_a' }, tie)).to.deep.equal(['signature'])
    expect(await faultsOf({ ...tie, party_a: SELLER, winner: 'party_a' }, tie)).to.deep.equal(['signature'])
  })
})
