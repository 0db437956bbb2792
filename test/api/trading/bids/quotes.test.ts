import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { erase } from '../../../kit/api/identity/erasure.ts'
import { expectProblem } from '../../../kit/api/platform/http/api.ts'
import { type Bidding, DAY, startBidding } from '../../../kit/api/trading/bids/bidding.ts'
import { newTrader, type TestMarket, type Trader } from '../../../kit/api/trading.ts'

describe('a bid and its quotes', () => {
  let bidding: Bidding
  let market: TestMarket
  let buyer: Trader
  let seller: Trader
  let rival: Trader

  before(async () => {
    bidding = await startBidding()
    ;({ market, buyer, seller, rival } = bidding)
  })

  after(() => bidding?.stop())

  it('is quoted on, with the terms of the bid where the quote names none [spec 4:16]', async () => {
    const bid = await bidding.posted()
    const body = { bid_urn: bid.urn, price: '40.000000', message: 'Two days.' }
    const answer = await bidding.send('POST', '/v1/quotes', seller.token, body)
    expect(answer.status).to.equal(201)
    expect(answer.body).to.deep.include({
      bid_urn: { prefix: 'bid', body: bid.id },
      bidder_urn: { prefix: 'agent', body: buyer.agentId },
      seller_urn: { prefix: 'agent', body: seller.agentId },
      state: 'open',
      price: '40.000000',
      sla_seconds: 5 * DAY,
      auto_accept_seconds: DAY,
      message: 'Two days.',
    })
  })

  it('shows its quotes to the bidder and to the one who gave them, and to nobody else', async () => {
    const bid = await bidding.posted()
    const [one, other] = [await bidding.quoted(bid), await bidding.quoted(bid, rival)]
    const ids = async (by: Trader, query: Record<string, string>) =>
      (await by.client.call('listQuotes', { query: query as never })).body.quotes.map(({ urn }) => urn.body)
    expect(await ids(buyer, { bid_urn: bid.urn })).to.deep.equal([other.id, one.id])
    expect(await ids(seller, { bid_urn: bid.urn })).to.deep.equal([one.id])
    expect(await ids(rival, { bid_urn: bid.urn, role: 'bidder' })).to.deep.equal([])
    expect((await bidding.send('GET', `/v1/quotes/${one.urn}`, buyer.token)).status).to.equal(200)
    expectProblem(await bidding.send('GET', `/v1/quotes/${one.urn}`, rival.token), 404, 'resource/not-found')
  })

  it('cannot be quoted on by its bidder, but by another agent of the same owner, as its asks can be ordered', async () => {
    const bid = await bidding.posted()
    const sibling = await newTrader(market, { owner: buyer, wallet: 'unbound' })
    const quoteBy = ({ token }: Trader) =>
      bidding.send('POST', '/v1/quotes', token, { bid_urn: bid.urn, price: '1.000000' })
    await bidding.refused(() => quoteBy(buyer), 422, 'orders/own-ask', 'bid_urn')
    expect((await quoteBy(sibling)).status).to.equal(201)
  })

  it('refuses quotes that do not fit it, or the market', async () => {
    const bid = await bidding.posted()
    for (const [changes, status, type, field] of [
      [{ price: '50.000001' }, 422, 'quotes/outside-bid', 'price'],
      [{ price: '0.000000' }, 422, 'asks/price-missing', 'price'],
      [{ price: '40' }, 400, 'request/invalid', 'price'],
      [{ sla_seconds: 5 * DAY + 1 }, 422, 'quotes/outside-bid', 'sla_seconds'],
      [{ sla_seconds: 61 * DAY }, 422, 'asks/window-out-of-range', 'sla_seconds'],
      [{ auto_accept_seconds: 15 * DAY }, 422, 'asks/window-out-of-range', 'auto_accept_seconds'],
      [{ expires_at: '2020-01-01T00:00:00Z' }, 422, 'bids/window-out-of-range', 'expires_at'],
      [{ expires_at: '9999-01-01T00:00:00Z' }, 422, 'bids/window-out-of-range', 'expires_at'],
      [{ message: 'a'.repeat(5_001) }, 400, 'request/invalid', 'message'],
      [{ bid_urn: urnString('bid', seller.agentId) }, 404, 'resource/not-found', undefined],
      [{ bid_urn: urnString('ask', seller.agentId) }, 400, 'request/invalid', 'bid_urn'],
    ] as const) {
      const body = { bid_urn: bid.urn, price: '40.000000', ...changes }
      await bidding.refused(() => bidding.send('POST', '/v1/quotes', seller.token, body), status, type, field)
    }
  })

  it('has one open quote of each seller: the newer replaces the older, also when they come at once', async () => {
    const bid = await bidding.posted()
    const [first, rivals] = [await bidding.quoted(bid), await bidding.quoted(bid, rival)]
    const others = await Promise.all(
      Array.from({ length: 8 }, (_, index) => bidding.quoted(bid, seller, { price: `${index + 1}.000000` })),
    )
    const { body } = await seller.client.call('listQuotes', { query: { bid_urn: bid.urn } })
    const states = body.quotes.map(({ state }) => state)
    expect(states.toSorted()).to.deep.equal(['open', ...others.map(() => 'replaced')])
    expect(await bidding.stateOf(first)).to.equal('replaced')
    expect((await rival.client.call('getQuote', { params: { urn: rivals.urn } })).body.state).to.equal('open')
    await bidding.refused(() => bidding.order(bid, first), 409, 'quotes/not-open', 'quote_urn')
  })

  it('has its quotes withdrawn by their sellers alone, while they are open', async () => {
    const bid = await bidding.posted()
    const quote = await bidding.quoted(bid)
    const withdraw = (token: string) => bidding.send('POST', `/v1/quotes/${quote.urn}/withdraw`, token)
    await bidding.refused(() => withdraw(rival.token), 404, 'resource/not-found')
    await bidding.refused(() => withdraw(buyer.token), 403, 'auth/forbidden')
    expect((await withdraw(seller.token)).body).to.deep.include({ state: 'withdrawn' })
    await bidding.refused(() => withdraw(seller.token), 409, 'quotes/not-open')
    await bidding.refused(() => bidding.order(bid, quote), 409, 'quotes/not-open', 'quote_urn')
  })

  it('is withdrawn when its seller is erased while it is open, and stays ordered once it was ordered', async () => {
    const leaving = await newTrader(market)
    const [bid, other] = [await bidding.posted(), await bidding.posted()]
    const [ordered, open] = [await bidding.quoted(bid, leaving), await bidding.quoted(other, leaving)]
    const { body } = await bidding.order(bid, ordered)
    const params = { urn: urnString('order', (body.order_urn as { body: string }).body) }
    await buyer.client.call('cancelOrder', { params, body: { reason_code: 'changed_mind' } })
    expect((await erase(market.api, leaving.humanToken)).status).to.equal(202)
    const states = [ordered, open].map(({ urn }) => buyer.client.call('getQuote', { params: { urn } }))
    expect((await Promise.all(states)).map((answer) => answer.body.state)).to.deep.equal(['ordered', 'withdrawn'])
  })

  it('tells both sides of a quote, and nobody else, what becomes of it', async () => {
    const bid = await bidding.posted()
    const quote = await bidding.quoted(bid)
    await seller.client.call('withdrawQuote', { params: { urn: quote.urn } })
    const events = await market.api.db
      .selectFrom('market.events')
      .select(['event_type', 'visible_to'])
      .where(sql<boolean>`payload->>'quote_urn' = ${quote.urn}`)
      .orderBy('id')
      .execute()
    expect(events.map(({ event_type }) => event_type)).to.deep.equal(['quote.posted', 'quote.withdrawn'])
    const both = [buyer.agentId, buyer.humanId, seller.agentId, seller.humanId]
    for (const { visible_to } of events) expect(visible_to).to.have.members(both)
  })
})
