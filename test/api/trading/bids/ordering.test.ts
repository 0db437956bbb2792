import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sha256Hex } from '../../../../protocol/encoding/canonical.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { type Bidding, DAY, startBidding, wish } from '../../../kit/api/trading/bids/bidding.ts'
import { funded, newAsk, newTrader, passTime, type TestMarket, type Trader } from '../../../kit/api/trading.ts'

describe('a bid that is ordered from by a quote', () => {
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

  for (const version of ['2026-05-05', '2026-05-17']) {
    it(`is ordered from, at the terms of the quote, in ${version} [spec 1:3 3.1:2]`, async () => {
      const bid = await bidding.posted()
      const quote = await bidding.quoted(bid, seller, {
        price: '40.000000',
        sla_seconds: DAY,
        auto_accept_seconds: 2 * DAY,
      })
      // Some libraries write UUIDs in capitals.
      const body = {
        bid_urn: { prefix: 'bid', body: bid.id.toUpperCase() },
        quote_urn: `market:quote:${quote.id.toUpperCase()}`,
        escrow_mode: 'custodied',
      }
      const answer = await bidding.send('POST', '/v1/orders', buyer.token, body, { 'market-version': version })
      expect(answer.status).to.equal(402)
      expect(answer.body.amount).to.equal('40.000000')
      const id = (answer.body.order_urn as { body: string }).body
      const read = await buyer.client.call('getOrder', { params: { urn: urnString('order', id) } })
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
      expect(await bidding.stateOf(quote)).to.equal('ordered')
    })
  }

  it('is traded to the end: the receipt is for what the bid described [spec 1:3]', async () => {
    const description = 'A concordance of forty-two lines.'
    const bid = await bidding.posted({ description })
    const quote = await bidding.quoted(bid)
    const answer = await buyer.client.call('placeOrder', {
      body: { bid_urn: bid.urn, quote_urn: quote.urn, escrow_mode: 'custodied' },
    })
    if (answer.status !== 402) throw new Error(`the order was answered ${answer.status}`)
    const { body: id } = answer.body.order_urn
    const placed = { id, urn: urnString('order', id), buyer, seller, offer: answer.body }
    await funded(market, placed)
    await bidding.send('POST', `/v1/orders/${placed.urn}/cancel`, seller.token, { reason_code: 'cannot_deliver' })
    const { receipt_urn } = (await buyer.client.call('getOrder', { params: { urn: placed.urn } })).body
    const urn = urnString('receipt', receipt_urn?.body ?? '')
    const receipt = await buyer.client.call('getReceipt', { params: { urn } })
    expect(receipt.body.signed?.document).to.deep.include({
      price: '40.000000',
      spec_hash: sha256Hex(description),
    })
  })

  it('has each quote ordered once, whoever sends fifty orders at once', async () => {
    const bid = await bidding.posted()
    const quote = await bidding.quoted(bid)
    const replies = await Promise.all(Array.from({ length: 50 }, () => bidding.order(bid, quote)))
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
      const bid = await bidding.posted()
      const quote = await bidding.quoted(bid)
      const [placed, withdrawn] = await Promise.all([
        bidding.order(bid, quote),
        bidding.send('POST', `/v1/quotes/${quote.urn}/withdraw`, seller.token),
      ])
      expect([placed.status, withdrawn.status]).to.be.deep.oneOf([
        [402, 409],
        [409, 200],
      ])
    }
  })

  it('is not used up by an order that is refused', async () => {
    const bid = await bidding.posted()
    const walletless = await newTrader(market, { wallet: 'unbound' })
    const quote = await bidding.quoted(bid, walletless)
    const body = { bid_urn: bid.urn, quote_urn: quote.urn, escrow_mode: 'contract' }
    const place = () => bidding.send('POST', '/v1/orders', buyer.token, body)
    await bidding.refused(place, 422, 'orders/seller-wallet-required', 'escrow_mode')
    expect((await bidding.order(bid, quote)).status).to.equal(402)
  })

  it('is ordered from by its bidder alone, with a quote of its own', async () => {
    const [bid, other] = [await bidding.posted(), await bidding.posted()]
    const quote = await bidding.quoted(bid)
    const foreign = await rival.client.call('createBid', { body: wish })
    const foreignBid = { urn: urnString('bid', foreign.body.urn.body) }
    const given = await bidding.quoted(foreignBid, buyer)
    await bidding.refused(() => bidding.order(bid, quote, rival.token), 403, 'auth/forbidden', 'bid_urn')
    await bidding.refused(() => bidding.order(other, quote), 422, 'quotes/other-bid', 'quote_urn')
    await bidding.refused(() => bidding.order(bid, given), 404, 'resource/not-found')
    await bidding.refused(() => bidding.order(bid, { urn: urnString('quote', bid.id) }), 404, 'resource/not-found')
  })

  it('is ordered from as a bid and a quote, or not at all: 400 naming the member [spec 4:17]', async () => {
    const bid = await bidding.posted()
    const { urn: quote_urn } = await bidding.quoted(bid)
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
      await bidding.refused(() => bidding.send('POST', '/v1/orders', buyer.token, body), 400, 'request/invalid', field)
    }
  })

  it('cannot be ordered from once the time of the quote is over: 409', async () => {
    const bid = await bidding.posted()
    const quote = await bidding.quoted(bid)
    await passTime(market.api, 8 * DAY)
    expect(await bidding.stateOf(quote)).to.equal('expired')
    await bidding.refused(() => bidding.order(bid, quote), 409, 'quotes/not-open', 'quote_urn')
    const renewed = await bidding.quoted(bid)
    expect((await bidding.order(bid, renewed)).status).to.equal(402)
    await bidding.refused(
      () => bidding.send('POST', `/v1/quotes/${renewed.urn}/withdraw`, seller.token),
      409,
      'quotes/not-open',
    )
  })
})
