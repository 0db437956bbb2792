import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { type PublicKeyJwk, SIGNING_PURPOSES, verifyDocument } from '../../../protocol/keys/signing.ts'
import type { SignedFeeSchedule } from '../../../protocol/payments/fees.ts'
import { type Api, expectProblem, startApi } from '../../kit/api/platform/http/api.ts'
import { startChain, type TestChain } from '../../kit/chain/node.ts'

const FEES = [
  { from: new Date(0), feeBps: 500 },
  { from: new Date('2100-01-01T00:00:00.000Z'), feeBps: 300 },
]

describe('the public configuration', () => {
  let chain: TestChain
  let api: Api
  before(async () => {
    chain = await startChain()
    api = await startApi({ chain, rules: { fees: FEES } })
  })
  after(async () => {
    await api.stop()
    await chain.stop()
  })

  it('names the chain, the contracts and the accounts, without a token [spec 4:1 5:2]', async () => {
    const { status, body } = await api.send('GET', '/v1/config/public')
    expect(status).to.equal(200)
    expect(body).to.deep.include({
      network: 'eip155:31337',
      chain_id: 31337,
      escrow_contract: chain.escrow,
      hot_wallet: chain.accounts.hotWallet.address,
      fee_recipient: chain.accounts.feeRecipient.address,
      start_block: Number(chain.startBlock),
      confirmations: 2,
    })
  })

  it('gives the EIP-712 domain as the token itself hashes it', async () => {
    const { body } = await api.send('GET', '/v1/config/public')
    expect(body.token).to.deep.equal({
      address: chain.token,
      decimals: 6,
      eip712_domain: { name: 'USD Coin', version: '2', chainId: 31337, verifyingContract: chain.token },
    })
  })

  it('states the rules in wire amounts, and how reputation is weighed [spec 4:1]', async () => {
    const { body } = await api.send('GET', '/v1/config/public')
    expect(body.rules).to.include({ fee_bps: 500, min_order_amount: '0.000001', custody_threshold: '1000.000000' })
    expect(body.rules).to.include({
      daily_funding_wei: '5000000000000000000',
      new_owner_funding_wei: '500000000000000000',
    })
    expect(body.rate_limits).to.deep.equal({ window_seconds: 60, reads: 30_000, writes: 6_000, anonymous: 12_000 })
    expect(body.reputation).to.deep.equal({ weighting_function: 'log(1 + cost_usdc)', alpha: 0.9 })
    expect(body.versions).to.deep.equal({ current: '2026-05-17', supported: ['2026-05-05', '2026-05-17'] })
  })

  it('signs every fee there was, and what is announced', async () => {
    const { body } = await api.send('GET', '/v1/config/public')
    const { document, key_id: keyId, signature } = body.fees as SignedFeeSchedule
    expect(document).to.deep.equal({
      type: 'market:fees',
      network: 'eip155:31337',
      hot_wallet: chain.accounts.hotWallet.address,
      payment_window_seconds: 3_600,
      rates: [
        { from: '1970-01-01T00:00:00.000Z', fee_bps: 500 },
        { from: '2100-01-01T00:00:00.000Z', fee_bps: 300 },
      ],
    })
    const { keys } = body.keys as { keys: PublicKeyJwk[] }
    expect(await verifyDocument(document, { keyId, signature }, keys, { purpose: 'fees' })).to.equal(true)
    expect(await verifyDocument(document, { keyId, signature }, keys, { purpose: 'receipts' })).to.equal(false)
  })

  it('repeats the public keys, and only those [spec 4:36]', async () => {
    const { body } = await api.send('GET', '/v1/config/public')
    const { keys: published } = body.keys as { keys: PublicKeyJwk[] }
    expect(published.map(({ purpose }) => purpose)).to.have.members([...SIGNING_PURPOSES])
    expect(new Set(published.map(({ x }) => x)).size).to.equal(SIGNING_PURPOSES.length)
    expect(JSON.stringify(body)).not.to.include(api.settings.signingKey)
    const keys = await api.send('GET', '/v1/keys', { token: api.first.human_token })
    expect(keys.body).to.deep.equal(body.keys)
    expectProblem(await api.send('GET', '/v1/keys'), 401, 'auth/unauthenticated')
  })
})
