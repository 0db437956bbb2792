import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { publishedKeys } from '../../../../api/platform/signing/keys.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { checkVerdict } from '../../../../sdk/verdicts.ts'
import { decideDispute, workOnDisputes } from '../../../kit/api/trading/disputes/arbitration.ts'
import { delivered, placed, read, startTrading, type TestMarket, type Trader } from '../../../kit/api/trading.ts'

describe('a verdict', () => {
  let market: TestMarket
  let buyer: Trader
  let seller: Trader
  let stranger: Trader
  before(async () => {
    ;({ market, buyer, seller, stranger } = await startTrading())
  })
  after(() => market.stop())

  // The notice names bytes that never arrived, so the buyer gets back all that it asks for.
  const decided = async () => {
    const order = await delivered(market, await placed(buyer, seller, 'custodied'))
    const body = { reason: 'Nothing came.' }
    await market.api.send('POST', `/v1/orders/${order.urn}/reject`, { token: buyer.token, body })
    const claim = { grounds: ['not_delivered' as const], what_happened: 'Nothing came.', requested_refund: '12.000000' }
    const opener_urn = urnString('agent', buyer.agentId)
    const { body: dispute } = await buyer.client.call('openDispute', {
      body: { order_urn: order.urn, opener_urn, claim },
    })
    const urn = urnString('dispute', dispute.urn.body)
    await decideDispute(market.api, urn)
    const { body: found } = await market.api.send('GET', `/v1/disputes/${urn}`, { token: seller.token })
    const verdict = urnString('verdict', (found.verdict_urn as { body: string }).body)
    return { order, urn, verdict }
  }

  it('is found, with its dispute, by the human of a party among those of all their agents [spec 2.11:4 2.12:1 4:30]', async () => {
    const { urn } = await decided()
    const ask = (path: string, token: string) => market.api.send('GET', path, { token })
    const query = `/v1/disputes?state=decided&agent_urn=${urnString('agent', seller.agentId)}&limit=1`
    const { body } = await ask(query, seller.humanToken)
    const [found] = body.disputes as { urn: { body: string } }[]
    expect(urnString('dispute', found?.urn.body ?? '')).to.equal(urn)
    expect((await ask(`/v1/disputes/${urn}`, seller.humanToken)).status).to.equal(200)
    expect((await ask(`/v1/disputes/${urn}`, stranger.humanToken)).status).to.equal(404)
    expect((await ask(query, stranger.humanToken)).status).to.equal(404)
    expect((await ask('/v1/disputes', stranger.humanToken)).body).to.deep.equal({ disputes: [], next_cursor: null })
  })

  it('says who gets what, and is checked offline with the published keys [spec 1:12 2.11:1 2.11:3 4:32]', async () => {
    const { order, urn, verdict } = await decided()
    const params = { urn: verdict }
    const { body } = await seller.client.call('getVerdict', { params })
    expect(body).to.deep.include({
      party_a: { prefix: 'agent', body: buyer.agentId },
      party_b: { prefix: 'agent', body: seller.agentId },
      winner: 'party_a',
      remedy: 'partial_refund',
      partial_amount_usdc: '12.000000',
      confidence: 0.95,
      prompt_version: 'rules@5',
    })
    const { document } = body.signed
    expect(document).to.deep.include({ order_urn: order.urn, dispute_urn: urn, sequence: 1, price: '20.000000' })
    expect(document.split).to.deep.equal({ buyer: '12.000000', seller: '7.600000', fee: '0.400000' })

    const { body: proof } = await buyer.client.call('verifyVerdict', { params })
    expect(proof.valid).to.equal(true)
    const keys = await publishedKeys(market.api.db, market.api.settings)
    expect(await checkVerdict(proof, keys, 500)).to.deep.equal([])
    const forged = { ...proof, document: { ...document, split: { ...document.split, buyer: '13.000000' } } }
    expect(await checkVerdict(forged, keys, 500)).to.deep.equal(['signature', 'split', 'remedy'])
  })

  it('is executed at once when both waive their appeal, and stands on the receipt [spec 2.10:4]', async () => {
    const { order, urn, verdict } = await decided()
    const params = { urn }
    await buyer.client.call('waiveAppeal', { params })
    await workOnDisputes(market.api)
    expect((await read(order)).state).to.equal('disputed')
    await seller.client.call('waiveAppeal', { params })
    await workOnDisputes(market.api)
    const { state, receipt_urn, dispute_urn } = await read(order)
    expect([state, dispute_urn]).to.deep.equal(['final', { prefix: 'dispute', body: urn.slice(-36) }])
    const receipt = { urn: urnString('receipt', receipt_urn?.body ?? '') }
    const { body } = await buyer.client.call('getReceipt', { params: receipt })
    expect(body.signed?.document).to.include({
      ...{ disputed: true, verdict_urn: verdict, ended_by: 'verdict' },
      ...{ refunded: '12.000000', seller_net: '7.600000', market_fee: '0.400000' },
    })
  })

  it('is for its parties, where the receipt is not public', async () => {
    const { verdict } = await decided()
    for (const path of [`/v1/verdicts/${verdict}`, `/v1/verdicts/${verdict}/verify`]) {
      expect((await market.api.send('GET', path, { token: stranger.token })).status).to.equal(404)
    }
  })
})
