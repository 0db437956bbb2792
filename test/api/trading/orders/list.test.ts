import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { PaymentOffer } from '../../../../sdk/offer.ts'
import { expectProblem } from '../../../kit/api/platform/http/api.ts'
import {
  confirmPayment,
  deliver,
  delivered,
  funded,
  newAsk,
  newTrader,
  type PlacedOrder,
  passTime,
  placed,
  signed,
  startMarket,
  type TestMarket,
  type Trader,
  threadOf,
} from '../../../kit/api/trading.ts'

describe('the list of orders', () => {
  let market: TestMarket
  let alice: Trader
  let bob: Trader
  const orders: PlacedOrder[] = []
  before(async () => {
    market = await startMarket()
    alice = await newTrader(market)
    bob = await newTrader(market)
    orders.push(
      await placed(alice, bob, 'custodied'),
      await funded(market, await placed(bob, alice, 'custodied')),
      await delivered(market, await placed(alice, bob, 'contract')),
      await funded(market, await placed(alice, bob, 'custodied')),
    )
  })
  after(() => market.stop())

  const list = async (trader: Trader, query: Record<string, string> = {}) => {
    const { body } = await trader.client.call('listOrders', { query: query as never })
    return { ids: body.orders.map(({ urn }) => urn.body), next: body.next_cursor }
  }
  const ids = (...indexes: number[]) => indexes.map((index) => orders[index]?.id)

  it('holds what one bought and sold, newest first [spec 4:18]', async () => {
    expect((await list(alice)).ids).to.deep.equal(ids(3, 2, 1, 0))
    expect((await list(bob)).ids).to.deep.equal(ids(3, 2, 1, 0))
  })

  it('filters by role and state [spec 4:18 6.1:3]', async () => {
    expect((await list(alice, { role: 'seller' })).ids).to.deep.equal(ids(1))
    expect((await list(bob, { role: 'seller', state: 'funded' })).ids).to.deep.equal(ids(3))
    expect((await list(bob, { state: 'funded' })).ids).to.deep.equal(ids(3, 1))
  })

  it('holds for a human what every agent of theirs bought and sold, each once, with the words people know it by', async () => {
    const second = await newTrader(market, { owner: alice })
    const between = await placed(second, alice, 'contract')
    const all = async (query = '') => {
      const reply = await market.api.send('GET', `/v1/orders?${query}`, { token: alice.humanToken })
      expect(reply.status, JSON.stringify(reply.body)).to.equal(200)
      return reply.body.orders as Record<string, { body: string } | string>[]
    }
    const found = await all()
    expect(found.map(({ urn }) => (urn as { body: string }).body)).to.deep.equal([between.id, ...ids(3, 2, 1, 0)])
    const [newest] = found
    expect(newest).to.include({ title: 'Verse', buyer_name: 'Agent', seller_name: 'Agent' })
    expect(newest?.next_deadline).to.deep.include({ what: 'pay' })
    expect(await all(`agent_urn=${urnString('agent', second.agentId)}&role=buyer`)).to.have.length(1)
    expect(await all(`agent_urn=${urnString('agent', second.agentId)}&role=seller`)).to.have.length(0)
    const path = `/v1/orders/${between.urn}`
    expect((await market.api.send('GET', path, { token: alice.humanToken })).status).to.equal(200)
    const asked = `/v1/orders?agent_urn=${urnString('agent', bob.agentId)}`
    expectProblem(await market.api.send('GET', asked, { token: alice.humanToken }), 404, 'resource/not-found')
    expectProblem(await market.api.send('GET', path, { token: bob.humanToken }), 404, 'resource/not-found')
    expectProblem(await market.api.send('GET', path, { token: bob.token }), 404, 'resource/not-found')
    await sql`update market.orders set buyer_id = ${bob.agentId}, seller_id = ${bob.agentId}
      where id = ${between.id}`.execute(market.api.db)
  })

  it('filters by whom they are with, and by when they last changed', async () => {
    const carol = await newTrader(market)
    const other = await placed(carol, alice, 'custodied')
    expect((await list(alice, { counterparty_urn: urnString('agent', bob.agentId) })).ids).to.deep.equal(
      ids(3, 2, 1, 0),
    )
    expect((await list(alice, { counterparty_urn: urnString('agent', carol.agentId) })).ids).to.deep.equal([other.id])
    await passTime(market.api, 60)
    const { rows } = await sql<{ now: Date }>`select market.now() as now`.execute(market.api.db)
    const updated_since = rows[0]?.now.toISOString() ?? ''
    expect((await list(alice, { updated_since })).ids).to.deep.equal([])
    const path = `/v1/orders/${other.urn}/cancel`
    await market.api.send('POST', path, { token: carol.token, body: { reason_code: 'changed_mind' } })
    for (const since of [updated_since, updated_since.replace('Z', '+00:00')])
      expect((await list(alice, { updated_since: since })).ids).to.deep.equal([other.id])
    expect((await list(alice, { updated_since, role: 'buyer' })).ids).to.deep.equal([])
    await sql`update market.orders set seller_id = ${carol.agentId} where id = ${other.id}`.execute(market.api.db)
  })

  it('comes in pages whose cursors end [spec 4:18 8:10]', async () => {
    const first = await list(alice, { limit: '3' })
    expect(first.ids).to.deep.equal(ids(3, 2, 1))
    const second = await list(alice, { limit: '3', cursor: first.next ?? '' })
    expect(second).to.deep.equal({ ids: ids(0), next: null })
  })

  it("refuses a cursor of another list, another account's, and a forged one [risk API1]", async () => {
    const { next } = await list(alice, { limit: '1' })
    const ask = (trader: Trader, query: string) =>
      market.api.send('GET', `/v1/orders?${query}`, { token: trader.token })
    for (const reply of [
      await ask(alice, `limit=1&role=buyer&cursor=${next}`),
      await ask(bob, `limit=1&cursor=${next}`),
      await ask(alice, `limit=1&cursor=${next?.slice(0, -2)}AA`),
      await ask(alice, 'cursor=%00'),
    ]) {
      expectProblem(reply, 400, 'request/invalid', 'cursor')
    }
  })

  it('refuses a role, a state or a limit that does not exist [spec 7:6 8:9]', async () => {
    for (const field of ['role', 'state', 'limit', 'counterparty_urn', 'updated_since']) {
      const reply = await market.api.send('GET', `/v1/orders?${field}=1000`, { token: alice.token })
      expectProblem(reply, 400, 'request/invalid', field)
    }
  })

  it('is beside asks, bids, quotes and threads, which a human reads for all their agents, or for one', async () => {
    const second = await newTrader(market, { owner: alice })
    const mine = await Promise.all([newAsk(alice), newAsk(second)])
    const bid = await second.client.call('createBid', {
      body: { title: 'Verse', description: 'Any.', max_price: '30.000000' },
    })
    const bid_urn = bid.body.urn
    const quote = await bob.client.call('createQuote', { body: { bid_urn, price: '20.000000' } })
    const read = async (path: string, by = alice, agent?: Trader) => {
      const headers = agent && { 'market-agent': urnString('agent', agent.agentId) }
      return market.api.send('GET', path, { token: by.humanToken, ...(headers ? { headers } : {}) })
    }
    const idsOf = (list: unknown) => (list as { urn: { body: string } }[]).map(({ urn }) => urn.body)
    const asks = idsOf((await read('/v1/asks')).body.asks)
    expect(asks)
      .to.include.members(mine.map(({ body }) => body))
      .and.have.length(new Set(asks).size)
    expect(asks).to.deep.equal([...asks].sort().reverse())
    expect(idsOf((await read('/v1/asks', alice, second)).body.asks)).to.deep.equal([mine[1]?.body])
    expect(idsOf((await read('/v1/bids?role=bidder')).body.bids)).to.deep.equal([bid_urn.body])
    expect(idsOf((await read('/v1/bids?role=bidder', bob)).body.bids)).to.deep.equal([])
    const quoted = urnString('quote', quote.body.urn.body)
    for (const by of [alice, bob]) {
      expect(idsOf((await read('/v1/quotes', by)).body.quotes)).to.deep.equal([quote.body.urn.body])
      expect((await read(`/v1/quotes/${quoted}`, by)).status).to.equal(200)
    }
    expect(idsOf((await read('/v1/quotes', alice, alice)).body.quotes)).to.deep.equal([])
    const [, paid] = orders
    const thread = paid && (await threadOf(paid))
    expect((await read(`/v1/threads/${thread}/messages`)).status).to.equal(200)
    const stranger = await newTrader(market)
    expect((await read(`/v1/threads/${thread}/messages`, stranger)).status).to.equal(404)
    expect((await read(`/v1/threads/${thread}/messages`, alice, second)).status).to.equal(404)
    expect((await read(`/v1/quotes/${quoted}`, stranger)).status).to.equal(404)
  })

  it('has no more paid and undelivered orders of an ask than that takes, also of buyers at once', async () => {
    const ask_urn = await newAsk(bob, { max_open_orders: 2 })
    const buyers = [alice, ...(await Promise.all([1, 2, 3].map(() => newTrader(market))))]
    const order = (by = alice) => market.api.send('POST', '/v1/orders', { token: by.token, body: { ask_urn } })
    // An order that nobody pays keeps no buyer away.
    const offers = await Promise.all([...buyers, ...buyers].map(order))
    expect(offers.map(({ status }) => status)).to.deep.equal(Array(8).fill(402))
    const unpaid = offers.map(({ body }, index): PlacedOrder => {
      const offer = body as unknown as PaymentOffer & { order_urn: { body: string } }
      const id = offer.order_urn.body
      return { id, urn: urnString('order', id), buyer: buyers[index % buyers.length] ?? alice, seller: bob, offer }
    })
    const pay = async (one: PlacedOrder) => {
      const body = { signed_authorization: await signed(market, one) }
      return market.api.send('POST', `/v1/orders/${one.urn}/fund`, { token: one.buyer.token, body })
    }
    const replies = await Promise.all(unpaid.map(pay))
    expect(replies.map(({ status }) => status).sort()).to.deep.equal([202, 202, 409, 409, 409, 409, 409, 409])
    expectProblem(await order(), 409, 'asks/at-capacity', 'ask_urn')
    const { db } = market.api
    const isPaid = (index: number) => replies[index]?.status === 202
    const [first, second] = unpaid.filter((_, index) => isPaid(index)) as [PlacedOrder, PlacedOrder]
    const refused = unpaid.filter((_, index) => !isPaid(index)) as [PlacedOrder, PlacedOrder]
    // Its wallet is empty: the facilitator gives the payment up, and the next buyer takes the place.
    await db.updateTable('market.authorizations').set({ state: 'failed' }).where('order_id', '=', first.id).execute()
    expect((await pay(refused[0])).status).to.equal(202)
    expectProblem(await pay(first), 409, 'asks/at-capacity', 'ask_urn')
    await confirmPayment(market, second)
    await deliver(second)
    expect((await order()).status).to.equal(402)
    expect((await pay(refused[1])).status).to.equal(202)
    expectProblem(await order(), 409, 'asks/at-capacity', 'ask_urn')
    const path = `/v1/asks/${urnString('ask', ask_urn.body)}`
    expect((await market.api.send('GET', path, { token: alice.token })).body.max_open_orders).to.equal(2)
    const changed = await market.api.send('PATCH', path, { token: bob.token, body: { max_open_orders: null } })
    expect(changed.body).to.not.have.property('max_open_orders')
    expect((await order()).status).to.equal(402)
  })
})
