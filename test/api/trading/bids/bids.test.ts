import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { expectProblem } from '../../../kit/api/platform/http/api.ts'
import { type Bidding, DAY, startBidding, wish } from '../../../kit/api/trading/bids/bidding.ts'
import { newTrader, type TestMarket, type Trader } from '../../../kit/api/trading.ts'

describe('a bid', () => {
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

  it('is posted with the defaults of the market, and read by anyone with a token [spec 4:15]', async () => {
    const { status, body } = await bidding.send('POST', '/v1/bids', buyer.token, wish)
    expect(status).to.equal(201)
    const { urn, created_at, expires_at, ...rest } = body as Record<string, unknown>
    expect(rest).to.deep.equal({
      ...wish,
      bidder_urn: { prefix: 'agent', body: buyer.agentId },
      state: 'open',
      sla_seconds: 604_800,
      closed_at: null,
    })
    expect(Date.parse(String(expires_at)) - Date.parse(String(created_at))).to.equal(30 * DAY * 1000)
    const path = `/v1/bids/${urnString('bid', (urn as { body: string }).body)}`
    expect((await bidding.send('GET', path, rival.token)).body).to.deep.equal(body)
    expect((await bidding.send('GET', path, rival.humanToken)).status).to.equal(200)
  })

  it('lists open bids for sellers, and all of their own for bidders, in pages', async () => {
    const poster = await newTrader(market, { wallet: 'unbound' })
    const post = async () => (await poster.client.call('createBid', { body: wish })).body.urn
    const [open, closed, over, newest] = [await post(), await post(), await post(), await post()]
    await poster.client.call('closeBid', { params: { urn: urnString('bid', closed.body) } })
    await sql`update market.bids set expires_at = market.now() where id = ${over.body}`.execute(market.api.db)
    const list = async (by: Trader, query: Record<string, string>) =>
      (await by.client.call('listBids', { query: query as never })).body
    const first = await list(seller, { limit: '1' })
    expect(first.bids.map(({ urn }) => urn)).to.deep.equal([newest])
    const second = await list(seller, { limit: '1', cursor: first.next_cursor ?? '' })
    expect(second.bids.map(({ urn }) => urn)).to.deep.equal([open])
    const own = await list(poster, { role: 'bidder' })
    expect(own.bids.map(({ urn, state }) => [urn.body, state])).to.deep.equal([
      [newest.body, 'open'],
      [over.body, 'expired'],
      [closed.body, 'closed'],
      [open.body, 'open'],
    ])
    expectProblem(
      await bidding.send('GET', `/v1/bids?role=bidder&cursor=${first.next_cursor}`, seller.token),
      400,
      'request/invalid',
      'cursor',
    )
  })

  it('refuses bids that nobody could quote on', async () => {
    for (const [changes, status, type, field] of [
      [{ max_price: '0.000000' }, 422, 'bids/price-missing', 'max_price'],
      [{ sla_seconds: 60 * DAY + 1 }, 422, 'bids/window-out-of-range', 'sla_seconds'],
      [{ expires_at: '2020-01-01T00:00:00Z' }, 422, 'bids/window-out-of-range', 'expires_at'],
      [{ title: '' }, 400, 'request/invalid', 'title'],
    ] as const) {
      await bidding.refused(
        () => bidding.send('POST', '/v1/bids', buyer.token, { ...wish, ...changes }),
        status,
        type,
        field,
      )
    }
  })

  it('takes no quotes when it is closed or over: 409; and is closed once, by its bidder', async () => {
    const bid = await bidding.posted()
    const quote = await bidding.quoted(bid)
    const close = (token: string) => bidding.send('POST', `/v1/bids/${bid.urn}/close`, token)
    await bidding.refused(() => close(seller.token), 403, 'auth/forbidden')
    expect((await close(buyer.token)).body).to.deep.include({ state: 'closed' })
    await bidding.refused(() => close(buyer.token), 409, 'bids/not-open')
    const again = { bid_urn: bid.urn, price: '1.000000' }
    await bidding.refused(() => bidding.send('POST', '/v1/quotes', rival.token, again), 409, 'bids/not-open', 'bid_urn')
    await bidding.refused(() => bidding.order(bid, quote), 409, 'quotes/not-open', 'quote_urn')
    const over = await bidding.posted()
    await sql`update market.bids set expires_at = market.now() where id = ${over.id}`.execute(market.api.db)
    const late = { bid_urn: over.urn, price: '1.000000' }
    await bidding.refused(() => bidding.send('POST', '/v1/quotes', seller.token, late), 409, 'bids/not-open', 'bid_urn')
  })

  it('is not dealt with by who is deactivated', async () => {
    const leaver = await newTrader(market, { wallet: 'unbound' })
    const bid = await bidding.posted()
    const quote = await bidding.quoted(bid, leaver)
    const { body: own } = await leaver.client.call('createBid', { body: wish })
    const agentUrn = urnString('agent', leaver.agentId)
    await bidding.send('POST', `/v1/me/agents/${agentUrn}/deactivate`, leaver.humanToken)
    const human = { 'market-agent': agentUrn }
    const begun = () => bidding.send('POST', '/v1/bids', leaver.humanToken, wish, human)
    await bidding.refused(begun, 409, 'agents/deactivated')
    const quoting = () =>
      bidding.send('POST', '/v1/quotes', leaver.humanToken, { bid_urn: bid.urn, price: '1.000000' }, human)
    await bidding.refused(quoting, 409, 'agents/deactivated')
    await bidding.refused(() => bidding.order(bid, quote), 409, 'quotes/not-open', 'quote_urn')
    const answer = { bid_urn: own.urn, price: '1.000000' }
    await bidding.refused(
      () => bidding.send('POST', '/v1/quotes', seller.token, answer),
      409,
      'bids/not-open',
      'bid_urn',
    )
    const { body } = await seller.client.call('listBids', { query: {} })
    expect(body.bids.map(({ urn }) => urn.body)).to.not.include(own.urn.body)
  })
})
