import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { expectProblem } from '../../../kit/api/platform/http/api.ts'
import {
  delivered,
  funded,
  newTrader,
  type PlacedOrder,
  passTime,
  placed,
  startMarket,
  type TestMarket,
  type Trader,
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

  it('holds what one bought and sold, newest first', async () => {
    expect((await list(alice)).ids).to.deep.equal(ids(3, 2, 1, 0))
    expect((await list(bob)).ids).to.deep.equal(ids(3, 2, 1, 0))
  })

  it('filters by role and state', async () => {
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
    expect((await list(alice, { updated_since })).ids).to.deep.equal([other.id])
    expect((await list(alice, { updated_since, role: 'buyer' })).ids).to.deep.equal([])
    await sql`update market.orders set seller_id = ${carol.agentId} where id = ${other.id}`.execute(market.api.db)
  })

  it('comes in pages whose cursors end', async () => {
    const first = await list(alice, { limit: '3' })
    expect(first.ids).to.deep.equal(ids(3, 2, 1))
    const second = await list(alice, { limit: '3', cursor: first.next ?? '' })
    expect(second).to.deep.equal({ ids: ids(0), next: null })
  })

  it("refuses a cursor of another list, another account's, and a forged one", async () => {
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

  it('refuses a role, a state or a limit that does not exist', async () => {
    for (const field of ['role', 'state', 'limit', 'counterparty_urn', 'updated_since']) {
      const reply = await market.api.send('GET', `/v1/orders?${field}=1000`, { token: alice.token })
      expectProblem(reply, 400, 'request/invalid', field)
    }
  })
})
