import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { closeBid, createBid, createQuote, listBids, listQuotes, withdrawQuote } from '../../../api/bids/routes.ts'
import { getOrder, placeOrder } from '../../../api/orders/routes.ts'
import { getReceipt } from '../../../api/receipts/routes.ts'
import { sha256Hex } from '../../../protocol/canonical.ts'
import { urnString } from '../../../protocol/urn.ts'
import { expectProblem } from '../http/api.ts'
import {
  everything,
  funded,
  newAsk,
  newTrader,
  passTime,
  startMarket,
  type TestMarket,
  type Trader,
} from '../trading.ts'

const DAY = 86_400

describe('a bid and its quotes', () => {
  let market: TestMarket
  let buyer: Trader
  let seller: Trader
  let rival: Trader
  before(async () => {
    market = await startMarket()
    buyer = await newTrader(market)
    seller = await newTrader(market)
    rival = await newTrader(market)
  })
  after(() => market.stop())

  const wish = { title: 'Index', description: 'An index of a book of 300 pages.', max_price: '50.000000' }
  const posted = async (changes: Record<string, unknown> = {}) => {
    const { body } = await buyer.client.call(createBid, { body: { ...wish, sla_seconds: 5 * DAY, ...changes } })
    return { id: body.urn.body, urn: urnString('bid', body.urn.body) }
  }
  const quoted = async (bid: { urn: string }, by = seller, changes: Record<string, unknown> = {}) => {
    const body = { bid_urn: bid.urn, price: '40.000000', ...changes }
    const answer = await by.client.call(createQuote, { body })
    return { id: answer.body.urn.body, urn: urnString('quote', answer.body.urn.body) }
  }
  const send = (method: string, path: string, token: string, body?: unknown, headers = {}) =>
    market.api.send(method, path, { token, body, headers })
  const order = (bid: { urn: string }, quote: { urn: string }, token = buyer.token) =>
    send('POST', '/v1/orders', token, { bid_urn: bid.urn, quote_urn: quote.urn, escrow_mode: 'custodied' })
  const stateOf = async (quote: { urn: string }) =>
    (await send('GET', `/v1/quotes/${quote.urn}`, seller.token)).body.state
  const refused = async (call: () => ReturnType<typeof send>, status: number, type: string, field?: string) => {
    const before = await everything(market)
    expectProblem(await call(), status, type, field)
    expect(await everything(market)).to.deep.equal(before)
  }

  it('is posted with the defaults of the market, and read by anyone with a token', async () => {
    const { status, body } = await send('POST', '/v1/bids', buyer.token, wish)
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
    expect((await send('GET', path, rival.token)).body).to.deep.equal(body)
    expect((await send('GET', path, rival.humanToken)).status).to.equal(200)
  })

  it('is quoted on, with the terms of the bid where the quote names none', async () => {
    const bid = await posted()
    const body = { bid_urn: bid.urn, price: '40.000000', message: 'Two days.' }
    const answer = await send('POST', '/v1/quotes', seller.token, body)
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
    const bid = await posted()
    const [one, other] = [await quoted(bid), await quoted(bid, rival)]
    const ids = async (by: Trader, query: Record<string, string>) =>
      (await by.client.call(listQuotes, { query: query as never })).body.quotes.map(({ urn }) => urn.body)
    expect(await ids(buyer, { bid_urn: bid.urn })).to.deep.equal([other.id, one.id])
    expect(await ids(seller, { bid_urn: bid.urn })).to.deep.equal([one.id])
    expect(await ids(rival, { bid_urn: bid.urn, role: 'bidder' })).to.deep.equal([])
    expect((await send('GET', `/v1/quotes/${one.urn}`, buyer.token)).status).to.equal(200)
    expectProblem(await send('GET', `/v1/quotes/${one.urn}`, rival.token), 404, 'resource/not-found')
  })

  it('lists open bids for sellers, and all of their own for bidders, in pages', async () => {
    const poster = await newTrader(market, { wallet: 'unbound' })
    const post = async () => (await poster.client.call(createBid, { body: wish })).body.urn
    const [open, closed, over, newest] = [await post(), await post(), await post(), await post()]
    await poster.client.call(closeBid, { params: { urn: urnString('bid', closed.body) } })
    await sql`update market.bids set expires_at = market.now() where id = ${over.body}`.execute(market.api.db)
    const list = async (by: Trader, query: Record<string, string>) =>
      (await by.client.call(listBids, { query: query as never })).body
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
      await send('GET', `/v1/bids?role=bidder&cursor=${first.next_cursor}`, seller.token),
      400,
      'request/invalid',
      'cursor',
    )
  })

  it('cannot be quoted on by its bidder, nor by another agent of the same owner: 422', async () => {
    const bid = await posted()
    const sibling = await newTrader(market, { owner: buyer, wallet: 'unbound' })
    for (const { token } of [buyer, sibling]) {
      const quote = () => send('POST', '/v1/quotes', token, { bid_urn: bid.urn, price: '1.000000' })
      await refused(quote, 422, 'quotes/own-bid', 'bid_urn')
    }
  })

  it('refuses quotes that do not fit it, or the market', async () => {
    const bid = await posted()
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
      await refused(() => send('POST', '/v1/quotes', seller.token, body), status, type, field)
    }
  })

  it('refuses bids that nobody could quote on', async () => {
    for (const [changes, status, type, field] of [
      [{ max_price: '0.000000' }, 422, 'bids/price-missing', 'max_price'],
      [{ sla_seconds: 60 * DAY + 1 }, 422, 'bids/window-out-of-range', 'sla_seconds'],
      [{ expires_at: '2020-01-01T00:00:00Z' }, 422, 'bids/window-out-of-range', 'expires_at'],
      [{ title: '' }, 400, 'request/invalid', 'title'],
    ] as const) {
      await refused(() => send('POST', '/v1/bids', buyer.token, { ...wish, ...changes }), status, type, field)
    }
  })

  it('takes no quotes when it is closed or over: 409; and is closed once, by its bidder', async () => {
    const bid = await posted()
    const quote = await quoted(bid)
    const close = (token: string) => send('POST', `/v1/bids/${bid.urn}/close`, token)
    await refused(() => close(seller.token), 403, 'auth/forbidden')
    expect((await close(buyer.token)).body).to.deep.include({ state: 'closed' })
    await refused(() => close(buyer.token), 409, 'bids/not-open')
    const again = { bid_urn: bid.urn, price: '1.000000' }
    await refused(() => send('POST', '/v1/quotes', rival.token, again), 409, 'bids/not-open', 'bid_urn')
    await refused(() => order(bid, quote), 409, 'quotes/not-open', 'quote_urn')
    const over = await posted()
    await sql`update market.bids set expires_at = market.now() where id = ${over.id}`.execute(market.api.db)
    const late = { bid_urn: over.urn, price: '1.000000' }
    await refused(() => send('POST', '/v1/quotes', seller.token, late), 409, 'bids/not-open', 'bid_urn')
  })

  it('has one open quote of each seller: the newer replaces the older, also when they come at once', async () => {
    const bid = await posted()
    const first = await quoted(bid)
    const others = await Promise.all(
      Array.from({ length: 8 }, (_, index) => quoted(bid, seller, { price: `${index + 1}.000000` })),
    )
    const { body } = await seller.client.call(listQuotes, { query: { bid_urn: bid.urn } })
    const states = body.quotes.map(({ state }) => state)
    expect(states.toSorted()).to.deep.equal(['open', ...others.map(() => 'replaced')])
    expect(await stateOf(first)).to.equal('replaced')
    await refused(() => order(bid, first), 409, 'quotes/not-open', 'quote_urn')
  })

  it('has its quotes withdrawn by their sellers alone, while they are open', async () => {
    const bid = await posted()
    const quote = await quoted(bid)
    const withdraw = (token: string) => send('POST', `/v1/quotes/${quote.urn}/withdraw`, token)
    await refused(() => withdraw(rival.token), 404, 'resource/not-found')
    await refused(() => withdraw(buyer.token), 403, 'auth/forbidden')
    expect((await withdraw(seller.token)).body).to.deep.include({ state: 'withdrawn' })
    await refused(() => withdraw(seller.token), 409, 'quotes/not-open')
    await refused(() => order(bid, quote), 409, 'quotes/not-open', 'quote_urn')
  })

  for (const version of ['2026-05-05', '2026-05-17']) {
    it(`is ordered from, at the terms of the quote, in ${version}`, async () => {
      const bid = await posted()
      const quote = await quoted(bid, seller, { price: '40.000000', sla_seconds: DAY, auto_accept_seconds: 2 * DAY })
      const body = {
        bid_urn: { prefix: 'bid', body: bid.id },
        quote_urn: { prefix: 'quote', body: quote.id },
        escrow_mode: 'custodied',
      }
      const answer = await send('POST', '/v1/orders', buyer.token, body, { 'market-version': version })
      expect(answer.status).to.equal(402)
      expect(answer.body.amount).to.equal('40.000000')
      const id = (answer.body.order_urn as { body: string }).body
      const read = await buyer.client.call(getOrder, { params: { urn: urnString('order', id) } })
      expect(read.body).to.deep.include({
        ask_urn: null,
        ask_version: null,
        bid_urn: { prefix: 'bid', body: bid.id },
        quote_urn: { prefix: 'quote', body: quote.id },
        seller_urn: { prefix: 'agent', body: seller.agentId },
        price: '40.000000',
      })
      const row = await market.api.db
        .selectFrom('market.orders')
        .select(['sla_seconds', 'auto_accept_seconds'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      expect(row).to.deep.equal({ sla_seconds: DAY, auto_accept_seconds: 2 * DAY })
      expect(await stateOf(quote)).to.equal('ordered')
    })
  }

  it('is traded to the end: the receipt is for what the bid described', async () => {
    const description = 'A concordance of forty-two lines.'
    const bid = await posted({ description })
    const quote = await quoted(bid)
    const answer = await buyer.client.call(placeOrder, {
      body: { bid_urn: bid.urn, quote_urn: quote.urn, escrow_mode: 'custodied' },
    })
    if (answer.status !== 402) throw new Error(`the order was answered ${answer.status}`)
    const { body: id } = answer.body.order_urn
    const placed = { id, urn: urnString('order', id), buyer, seller, offer: answer.body }
    await funded(market, placed)
    await send('POST', `/v1/orders/${placed.urn}/cancel`, seller.token, { reason_code: 'cannot_deliver' })
    const { receipt_urn } = (await buyer.client.call(getOrder, { params: { urn: placed.urn } })).body
    const urn = urnString('receipt', receipt_urn?.body ?? '')
    const receipt = await buyer.client.call(getReceipt, { params: { urn } })
    expect(receipt.body.signed?.document).to.deep.include({
      price: '40.000000',
      spec_hash: sha256Hex(description),
    })
  })

  it('has each quote ordered once, whoever sends fifty orders at once', async () => {
    const bid = await posted()
    const quote = await quoted(bid)
    const replies = await Promise.all(Array.from({ length: 50 }, () => order(bid, quote)))
    const statuses = replies.map(({ status }) => status).toSorted()
    expect(statuses).to.deep.equal([402, ...Array.from({ length: 49 }, () => 409)])
    const orders = await market.api.db
      .selectFrom('market.orders')
      .select('id')
      .where('quote_id', '=', quote.id)
      .execute()
    expect(orders).to.have.length(1)
  })

  it('gives a quote either to an order or back to its seller, when both want it at once', async () => {
    for (let round = 0; round < 5; round++) {
      const bid = await posted()
      const quote = await quoted(bid)
      const [placed, withdrawn] = await Promise.all([
        order(bid, quote),
        send('POST', `/v1/quotes/${quote.urn}/withdraw`, seller.token),
      ])
      expect([placed.status, withdrawn.status]).to.be.deep.oneOf([
        [402, 409],
        [409, 200],
      ])
    }
  })

  it('is not used up by an order that is refused', async () => {
    const bid = await posted()
    const walletless = await newTrader(market, { wallet: 'unbound' })
    const quote = await quoted(bid, walletless)
    const body = { bid_urn: bid.urn, quote_urn: quote.urn, escrow_mode: 'contract' }
    const place = () => send('POST', '/v1/orders', buyer.token, body)
    await refused(place, 422, 'orders/seller-wallet-required', 'escrow_mode')
    expect((await order(bid, quote)).status).to.equal(402)
  })

  it('is ordered from by its bidder alone, with a quote of its own', async () => {
    const [bid, other] = [await posted(), await posted()]
    const quote = await quoted(bid)
    const foreign = await rival.client.call(createBid, { body: wish })
    const foreignBid = { urn: urnString('bid', foreign.body.urn.body) }
    const given = await quoted(foreignBid, buyer)
    await refused(() => order(bid, quote, rival.token), 403, 'auth/forbidden', 'bid_urn')
    await refused(() => order(other, quote), 422, 'quotes/other-bid', 'quote_urn')
    await refused(() => order(bid, given), 404, 'resource/not-found')
    await refused(() => order(bid, { urn: urnString('quote', bid.id) }), 404, 'resource/not-found')
  })

  it('is ordered from as a bid and a quote, or not at all: 400 naming the member', async () => {
    const bid = await posted()
    const { urn: quote_urn } = await quoted(bid)
    const [ask_urn, bid_urn] = [await newAsk(seller), bid.urn]
    for (const [body, field] of [
      [{}, 'ask_urn'],
      [{ ask_urn, bid_urn, quote_urn }, 'bid_urn'],
      [{ ask_urn, bid_urn }, 'bid_urn'],
      [{ ask_urn, quote_urn }, 'quote_urn'],
      [{ bid_urn }, 'quote_urn'],
      [{ quote_urn }, 'bid_urn'],
      [{ bid_urn, quote_urn, ask_version: 1 }, 'ask_version'],
      [{ bid_urn, quote_urn, ask_urn: null }, 'ask_urn'],
    ] as const) {
      await refused(() => send('POST', '/v1/orders', buyer.token, body), 400, 'request/invalid', field)
    }
  })

  it('cannot be ordered from once the time of the quote is over: 409', async () => {
    const bid = await posted()
    const quote = await quoted(bid)
    await passTime(market.api, 8 * DAY)
    expect(await stateOf(quote)).to.equal('expired')
    await refused(() => order(bid, quote), 409, 'quotes/not-open', 'quote_urn')
    const renewed = await quoted(bid)
    expect((await order(bid, renewed)).status).to.equal(402)
    await refused(() => send('POST', `/v1/quotes/${renewed.urn}/withdraw`, seller.token), 409, 'quotes/not-open')
  })

  it('is not dealt with by who is deactivated', async () => {
    const leaver = await newTrader(market, { wallet: 'unbound' })
    const bid = await posted()
    const quote = await quoted(bid, leaver)
    const { body: own } = await leaver.client.call(createBid, { body: wish })
    const agentUrn = urnString('agent', leaver.agentId)
    await send('POST', `/v1/me/agents/${agentUrn}/deactivate`, leaver.humanToken)
    const human = { 'market-agent': agentUrn }
    const begun = () => send('POST', '/v1/bids', leaver.humanToken, wish, human)
    await refused(begun, 409, 'agents/deactivated')
    const quoting = () => send('POST', '/v1/quotes', leaver.humanToken, { bid_urn: bid.urn, price: '1.000000' }, human)
    await refused(quoting, 409, 'agents/deactivated')
    await refused(() => order(bid, quote), 409, 'quotes/not-open', 'quote_urn')
    const answer = { bid_urn: own.urn, price: '1.000000' }
    await refused(() => send('POST', '/v1/quotes', seller.token, answer), 409, 'bids/not-open', 'bid_urn')
    const { body } = await seller.client.call(listBids, { query: {} })
    expect(body.bids.map(({ urn }) => urn.body)).to.not.include(own.urn.body)
  })

  it('tells both sides of a quote, and nobody else, what becomes of it', async () => {
    const bid = await posted()
    const quote = await quoted(bid)
    await seller.client.call(withdrawQuote, { params: { urn: quote.urn } })
    const events = await market.api.db
      .selectFrom('market.events')
      .select(['event_type', 'visible_to'])
      .where(sql<boolean>`payload->>'quote_urn' = ${quote.urn}`)
      .orderBy('id')
      .execute()
    const both = [buyer.agentId, seller.agentId]
    expect(events).to.deep.equal([
      { event_type: 'quote.posted', visible_to: both },
      { event_type: 'quote.withdrawn', visible_to: both },
    ])
  })
})
