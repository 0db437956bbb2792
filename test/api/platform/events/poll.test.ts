import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { purgeEvents } from '../../../../api/platform/events/purge.ts'
import { OPERATORS } from '../../../../api/platform/events/visibility.ts'
import type { JobServices } from '../../../../api/platform/jobs/services.ts'
import { ordersIn, tell } from '../../../kit/api/platform/events/log.ts'
import { type Api, expectProblem, startApi } from '../../../kit/api/platform/http/api.ts'
import { newTrader, type Trader } from '../../../kit/api/trading.ts'

interface Page {
  events: { event_id: string; event_type: string; payload: Record<string, unknown> }[]
  cursor: string
  next_cursor: string | null
}

describe('polling for events', () => {
  let api: Api
  let buyer: Trader
  let seller: Trader
  let stranger: Trader
  before(async () => {
    api = await startApi()
    const market = { api }
    buyer = await newTrader(market, { wallet: 'unbound' })
    seller = await newTrader(market, { wallet: 'unbound' })
    stranger = await newTrader(market, { wallet: 'unbound' })
  })
  after(() => api.stop())

  const poll = (token: string, query = '') =>
    api.send('GET', `/v1/events${query}`, { token, headers: { accept: 'application/json' } })

  async function page(token: string, query = ''): Promise<Page> {
    const { status, body } = await poll(token, query)
    expect(status, JSON.stringify(body)).to.equal(200)
    return body as unknown as Page
  }

  const latest = async (token: string) => (await page(token, '?cursor=latest')).cursor

  it('shows an event to its parties and their owners, as the same envelope, and to nobody else [spec 1:16 2.1:4 6.1:2 6.2:1 6.2:3]', async () => {
    const order = await tell(api, [buyer.agentId, seller.agentId])
    const seen = await page(buyer.token)
    expect(seen.events.at(-1)).to.deep.include({ event_type: 'order.funded' })
    expect(seen.events.at(-1)).to.have.all.keys('event_id', 'event_type', 'payload', 'created_at')
    for (const token of [seller.token, buyer.humanToken, seller.humanToken])
      expect((await page(token)).events.at(-1)).to.deep.equal(seen.events.at(-1))
    for (const token of [stranger.token, stranger.humanToken, api.first.operator_token])
      expect(ordersIn((await page(token)).events)).to.not.include(order)
  })

  it("shows a human's own event to no agent of theirs, and an event once to who sees it twice", async () => {
    const from = await latest(buyer.humanToken)
    const own = await tell(api, [buyer.humanId])
    const both = await tell(api, [buyer.humanId, buyer.agentId])
    expect(ordersIn((await page(buyer.humanToken, `?cursor=${from}`)).events)).to.deep.equal([own, both])
    expect(ordersIn((await page(buyer.token, `?cursor=${from}`)).events)).to.deep.equal([both])
  })

  it('lists an event of two agents for the two, and their humans read it there', async () => {
    const from = await latest(seller.humanToken)
    const order = await tell(api, [buyer.agentId, seller.agentId])
    for (const { humanToken } of [buyer, seller])
      expect(ordersIn((await page(humanToken, `?cursor=${from}`)).events)).to.deep.equal([order])
    const { rows } = await sql<{ accounts: string[] }>`
      select array_agg(account_id order by account_id) as accounts from market.act_readers
      where place = (select last_place from market.event_log)`.execute(api.db)
    expect(rows[0]?.accounts).to.deep.equal([buyer.agentId, seller.agentId].toSorted())
  })

  it("shows the service's own events to every operator, those named later too, and to no agent of theirs", async () => {
    const order = await tell(api, [OPERATORS])
    expect(ordersIn((await page(api.first.operator_token)).events)).to.include(order)
    expect(ordersIn((await page(stranger.humanToken)).events)).to.not.include(order)
    await sql`update market.humans set role = 'operator' where id = ${stranger.humanId}`.execute(api.db)
    expect(ordersIn((await page(stranger.humanToken)).events)).to.include(order)
    expect(ordersIn((await page(stranger.token)).events)).to.not.include(order)
    await sql`update market.humans set role = 'member' where id = ${stranger.humanId}`.execute(api.db)
    expect(ordersIn((await page(stranger.humanToken)).events)).to.not.include(order)
  })

  it('shows a human who acts as an agent what that agent sees', async () => {
    const from = await latest(buyer.token)
    await tell(api, [buyer.humanId])
    const order = await tell(api, [buyer.agentId])
    const headers = { accept: 'application/json', 'market-agent': `market:agent:${buyer.agentId}` }
    const { body } = await api.send('GET', `/v1/events?cursor=${from}`, { token: buyer.humanToken, headers })
    expect(ordersIn((body as unknown as Page).events)).to.deep.equal([order])
  })

  it('goes on where the page before ended, and says when that was all', async () => {
    const from = await latest(buyer.token)
    const orders = [
      await tell(api, [buyer.agentId]),
      await tell(api, [buyer.agentId]),
      await tell(api, [buyer.agentId]),
    ]
    const first = await page(buyer.token, `?limit=2&cursor=${from}`)
    expect(ordersIn(first.events)).to.deep.equal(orders.slice(0, 2))
    expect(first.next_cursor).to.equal(first.cursor)
    const second = await page(buyer.token, `?limit=2&cursor=${first.cursor}`)
    expect(ordersIn(second.events)).to.deep.equal(orders.slice(2))
    expect(second.next_cursor).to.equal(null)
    expect((await page(buyer.token, `?cursor=${second.cursor}`)).events).to.deep.equal([])
    const [, { event_id: eventId } = { event_id: '' }] = first.events
    expect(ordersIn((await page(buyer.token, `?last_event_id=${eventId}`)).events)).to.deep.equal(orders.slice(2))
  })

  it('shows the types that were asked for [spec 4:41]', async () => {
    const from = await latest(buyer.token)
    await tell(api, [buyer.agentId], 'order.placed')
    const order = await tell(api, [buyer.agentId], 'order.cancelled')
    for (const subjects of ['order.cancelled', 'order.cancelled,message.*', 'order.cancelled,quote.posted'])
      expect(ordersIn((await page(buyer.token, `?cursor=${from}&subjects=${subjects}`)).events)).to.deep.equal([order])
    expect((await page(buyer.token, `?cursor=${from}&subjects=order.*`)).events).to.have.length(2)
    expect((await page(buyer.token, `?cursor=${from}&subjects=payout.*`)).events).to.deep.equal([])
  })

  it('fills a page with the types asked for, however many others are between them', async () => {
    const from = await latest(buyer.token)
    const orders: string[] = []
    for (let round = 0; round < 2; round++) {
      for (let other = 0; other < 7; other++) await tell(api, [buyer.agentId], 'order.placed')
      orders.push(await tell(api, [buyer.agentId], 'order.cancelled'))
    }
    const query = `?limit=1&subjects=order.cancelled`
    const first = await page(buyer.token, `${query}&cursor=${from}`)
    expect([ordersIn(first.events), first.next_cursor]).to.deep.equal([orders.slice(0, 1), first.cursor])
    const second = await page(buyer.token, `${query}&cursor=${first.cursor}`)
    expect(ordersIn(second.events)).to.deep.equal(orders.slice(1))
    const third = await page(buyer.token, `${query}&cursor=${second.cursor}`)
    expect([third.events, third.next_cursor]).to.deep.equal([[], null])
  })

  it('refuses patterns that are none [spec 4.3:5]', async () => {
    for (const subjects of [
      '',
      'order',
      '*.placed',
      'order.*,',
      'order.pl*',
      'order.*, message.*',
      'order.frozen',
      'order.*,nothing.*',
    ])
      expectProblem(
        await poll(buyer.token, `?subjects=${encodeURIComponent(subjects)}`),
        400,
        'request/invalid',
        'subjects',
      )
  })

  it('keeps events for as long as the market says, and then says that they are gone', async () => {
    const before = await page(buyer.token)
    const old = await tell(api, [buyer.agentId])
    await sql`update market.events set created_at = created_at - make_interval(secs => 1000)`.execute(api.db)
    const kept = await tell(api, [buyer.agentId])
    await page(buyer.token)
    const settings = { ...api.settings, rules: { ...api.settings.rules, eventRetentionSeconds: 999 } }
    await purgeEvents({ db: api.db, settings } as unknown as JobServices)
    expect(ordersIn((await page(buyer.token)).events)).to.deep.equal([kept])
    expectProblem(await poll(buyer.token, `?cursor=${before.cursor}`), 410, 'events/cursor-expired')
    expect(old).to.not.equal(kept)
    const { cursor } = await page(buyer.token)
    expect((await page(buyer.token, `?cursor=${cursor}`)).events).to.deep.equal([])
  })

  it('says so when a cursor is not one, of another log, of the future, or of an event of others', async () => {
    const order = await tell(api, [seller.agentId])
    const { events, cursor } = await page(seller.token)
    const theirs = events.find(({ payload }) => payload.order_urn === order)?.event_id
    const [epoch = '', place] = Buffer.from(cursor, 'base64url').toString().split('.')
    const write = (...parts: unknown[]) => Buffer.from(parts.join('.')).toString('base64url')
    const unknown = [
      uuidv7(),
      theirs,
      'x',
      write('00000000', place),
      write(epoch, 10n ** 15n),
      write(epoch, 10n ** 20n),
    ]
    for (const wrong of unknown)
      expectProblem(await poll(buyer.token, `?cursor=${wrong}`), 410, 'events/cursor-expired')
  })
})
