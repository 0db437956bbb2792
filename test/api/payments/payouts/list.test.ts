import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { createMarket } from '../../../../sdk/market.ts'
import { expectProblem } from '../../../kit/api/platform/http/api.ts'
import { delivered, newTrader, placed, startTrading, type TestMarket, type Trader } from '../../../kit/api/trading.ts'

describe('the list of payouts', () => {
  let market: TestMarket
  let buyer: Trader
  let seller: Trader
  let colleague: Trader

  before(async () => {
    ;({ market, buyer, seller } = await startTrading())
    colleague = await newTrader(market, { owner: seller, wallet: 'unbound' })
    for (const one of [seller, seller, colleague]) await sell(one)
  })

  after(() => market?.stop())

  const sell = async (one: Trader) => {
    const order = await delivered(market, await placed(buyer, one, 'custodied'))
    await buyer.client.call('acceptOrder', { params: { urn: order.urn } })
  }
  const list = async (client: Trader['client'], query = {}) => (await client.call('listPayouts', { query })).body

  it('shows an agent what it is paid, newest first [spec 4:52]', async () => {
    const { payouts, next_cursor } = await list(seller.client)
    expect(next_cursor).to.equal(null)
    expect(payouts.map(({ amount, leg, state }) => [amount, leg, state])).to.deep.equal([
      ['19.000000', 'payee', 'pending'],
      ['19.000000', 'payee', 'pending'],
    ])
    expect(payouts.map(({ urn }) => urn.body)).to.deep.equal(
      payouts
        .map(({ urn }) => urn.body)
        .toSorted()
        .toReversed(),
    )
  })

  it('shows a human what all their agents are paid, and what waits for a wallet', async () => {
    const owner = createMarket({ baseUrl: market.api.baseUrl, token: seller.humanToken })
    const { payouts } = await list(owner)
    expect(payouts.map(({ agent_urn }) => agent_urn?.body)).to.deep.equal([
      colleague.agentId,
      seller.agentId,
      seller.agentId,
    ])
    expect(payouts[0]).to.include({ state: 'blocked', to: null })
  })

  it("shows nobody another's", async () => {
    expect((await list(buyer.client)).payouts).to.deep.equal([])
    expect((await list(colleague.client)).payouts).to.have.length(1)
  })

  it('comes in pages, whose cursors are good for their own list alone', async () => {
    const first = await list(seller.client, { limit: '1' })
    const second = await list(seller.client, { limit: '1', cursor: first.next_cursor })
    expect(first.payouts[0]?.urn.body).to.not.equal(second.payouts[0]?.urn.body)
    const reply = await market.api.send('GET', `/v1/payouts?cursor=${first.next_cursor}`, { token: buyer.token })
    expectProblem(reply, 400, 'request/invalid', 'cursor')
  })

  it("shows operators everybody's, by state, and nobody else", async () => {
    const { api } = market
    const all = (query: string, token = api.first.operator_token) =>
      api.send('GET', `/v1/operator/payouts${query}`, { token })
    const shown = async (query: string) => {
      const { body } = await all(query)
      const payouts = body.payouts as { state: string; owner_urn: { body: string } }[]
      return { payouts, next: body.next_cursor as string | null }
    }
    const { payouts: blocked } = await shown('?state=blocked')
    expect(blocked.map(({ state, owner_urn }) => [state, owner_urn.body])).to.deep.equal([['blocked', seller.humanId]])
    const first = await shown('?state=pending&limit=1')
    const rest = await shown(`?state=pending&limit=1&cursor=${first.next}`)
    expect([...first.payouts, ...rest.payouts].map(({ state }) => state)).to.deep.equal(['pending', 'pending'])
    expectProblem(await all(`?state=blocked&cursor=${first.next}`), 400, 'request/invalid', 'cursor')
    expectProblem(await all('', seller.humanToken), 403, 'auth/forbidden')
  })
})
