import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { type Logger, pino } from 'pino'
import type { Actor } from '../../../../api/context.ts'
import { findEnded } from '../../../../api/identity/authentication/authenticate.ts'
import { openRpc } from '../../../../api/payments/chain/nodes.ts'
import { signUp } from '../../../kit/api/identity/passkeys/browser.ts'
import { tell } from '../../../kit/api/platform/events/log.ts'
import { bearer, openEventSource, openSocket } from '../../../kit/api/platform/events/receivers.ts'
import { type Api, serveApi, startApi } from '../../../kit/api/platform/http/api.ts'
import { newTrader, type Trader } from '../../../kit/api/trading.ts'

describe('streams of events', () => {
  let api: Api
  let logged = ''
  const write = (line: string) => {
    logged += line
  }
  let buyer: Trader
  let seller: Trader
  before(async () => {
    api = await startApi({ rules: { maxEventStreams: 3 }, log: { write } })
    buyer = await newTrader({ api }, { wallet: 'unbound' })
    seller = await newTrader({ api }, { wallet: 'unbound' })
  })
  after(() => api.stop())

  const stream = (token: string, query = '', lastEventId?: string) =>
    openEventSource(api.baseUrl, token, query, lastEventId)
  const socket = (protocols: string[], query = '') => openSocket(api.baseUrl, protocols, query)

  it('send what happens from now on, of the types asked for, and nothing of others [spec 1:16 4:41 4:42 6.1:4]', async () => {
    const { source, inbox } = await stream(buyer.token, '?subjects=order.*')
    const owner = await socket([bearer(buyer.humanToken)])
    const other = await socket([bearer(seller.token)])
    const one = await tell(api, [buyer.agentId])
    const both = await tell(api, [buyer.agentId, seller.agentId], 'order.cancelled')
    for (const each of [inbox, owner.inbox]) await each.until(({ length }) => length === 2)
    await other.inbox.until(({ length }) => length === 1)
    expect([inbox.orders, owner.inbox.orders, other.inbox.orders]).to.deep.equal([[one, both], [one, both], [both]])
    expect(inbox.events).to.deep.equal(owner.inbox.events)
    source.close()
    for (const { socket } of [owner, other]) socket.close()
  })

  it('go on behind the last event, by the header or the query, and from the beginning [spec 4:41]', async () => {
    const first = await stream(buyer.token)
    const seen = await tell(api, [buyer.agentId])
    const [event] = await first.inbox.until(({ length }) => length === 1)
    first.source.close()
    const missed = await tell(api, [buyer.agentId])
    const { body } = await api.send('GET', '/v1/events?cursor=latest', { token: buyer.token })
    const live = await tell(api, [buyer.agentId])
    const byHeader = await stream(buyer.token, '?last_event_id=latest', event?.event_id)
    await byHeader.inbox.until(({ length }) => length === 2)
    expect(byHeader.inbox.orders).to.deep.equal([missed, live])
    byHeader.source.close()
    const byQuery = await socket([bearer(buyer.token)], `?last_event_id=${body.cursor}`)
    await byQuery.inbox.until(({ length }) => length === 1)
    expect(byQuery.inbox.orders).to.deep.equal([live])
    byQuery.socket.close()
    const whole = await socket([bearer(buyer.token)], '?last_event_id=earliest')
    await whole.inbox.until((events) => events.at(-1)?.payload.order_urn === live)
    expect(whole.inbox.orders).to.include(seen)
    whole.socket.close()
  })

  it('are refused where the log does not go on', async () => {
    const refusals = await Promise.allSettled([
      stream(buyer.token, '?last_event_id=gone'),
      socket([bearer(buyer.token)], '?last_event_id=gone'),
      socket([bearer(buyer.token)], '?subjects=order'),
      socket([bearer(`${buyer.token.slice(0, -1)}_`)]),
      socket([bearer(buyer.token), bearer(seller.token)]),
      socket([]),
    ])
    const statuses = refusals.map((each) =>
      each.status === 'rejected' ? String(each.reason.message).slice(0, 3) : 'open',
    )
    expect(statuses).to.deep.equal(['410', '410', '400', '401', '401', '401'])
  })

  it('select market.v1 where it was offered, else what was, and the token is in no log [spec 4:42 5:11]', async () => {
    const offers = [[bearer(buyer.token)], ['market.v1', bearer(buyer.token)], [bearer(buyer.token), 'market.v1']]
    const selected = []
    for (const offer of offers) {
      const { socket: opened } = await socket(offer)
      selected.push(opened.protocol)
      opened.close()
      await once(opened, 'close')
    }
    expect(selected).to.deep.equal([bearer(buyer.token), 'market.v1', 'market.v1'])
    expect(logged).to.include('openEventSocket')
    expect(logged).to.not.include('market_pat_')
  })

  it('say 426 to a request that does not upgrade', async () => {
    const reply = await api.send('GET', '/v1/ws', { token: buyer.token })
    expect(reply.status).to.equal(426)
  })

  it('are so many for one account, and no more', async () => {
    const open = await Promise.all([1, 2, 3].map(() => socket([bearer(seller.token)])))
    const [more] = await Promise.allSettled([stream(seller.token)])
    expect(more.status === 'rejected' && more.reason.message).to.match(/^429/)
    const other = await socket([bearer(seller.humanToken)])
    for (const { socket: opened } of [...open, other]) {
      opened.close()
      await once(opened, 'close')
    }
    ;(await stream(seller.token)).source.close()
  })

  it('end within seconds of their token [spec 4:42]', async () => {
    const held = await newTrader({ api }, { wallet: 'unbound' })
    const { source } = await stream(held.token)
    const { socket: opened } = await socket([bearer(held.token)])
    const closed = once(opened, 'close')
    const failed = new Promise<number | undefined>((resolve) =>
      source.addEventListener('error', ({ code }) => resolve(code)),
    )
    await sql`update market.tokens set revoked_at = market.now() where agent_id = ${held.agentId}`.execute(api.db)
    const [code] = await closed
    expect(code).to.equal(1008)
    await failed
    source.close()
  })

  it('end for every reason that ends a token or a session', async () => {
    const { db, settings } = api
    const [{ humanId: holder }, { id: person }] = [await newTrader({ api }, { wallet: 'unbound' }), await signUp(api)]
    const token = sql<string>`(select id from market.tokens where human_id = ${holder} and agent_id is null limit 1)`
    const session = sql<string>`(select id from market.sessions where human_id = ${person})`
    const idle = sql`market.now() - make_interval(secs => ${settings.rules.sessionIdleSeconds})`
    const reasons = [
      [token, sql`update market.tokens set revoked_at = market.now() where id = ${token}`],
      [token, sql`update market.tokens set expires_at = market.now() where id = ${token}`],
      [token, sql`update market.humans set role = 'operator' where id = ${holder}`],
      [token, sql`update market.humans set erased_at = market.now() where id = ${holder}`],
      [session, sql`update market.sessions set revoked_at = market.now() where id = ${session}`],
      [session, sql`update market.sessions set expires_at = market.now() where id = ${session}`],
      [session, sql`update market.sessions set seen_at = ${idle} where id = ${session}`],
      [session, sql`update market.humans set erased_at = market.now() where id = ${person}`],
    ] as const
    for (const [credential, reason] of reasons) {
      const tx = await db.startTransaction().execute()
      try {
        const { rows } = await sql<{ id: string }>`select ${credential} as id`.execute(tx)
        const actor = { tokenId: rows[0]?.id, isOperator: false } as Actor
        const ended = async () => (await findEnded(tx, settings, [actor])).has(actor)
        const before = await ended()
        await reason.execute(tx)
        expect([before, await ended()], reason.compile(db).sql).to.deep.equal([false, true])
      } finally {
        await tx.rollback().execute()
      }
    }
  })

  it('end where the database turns out to be another copy, and go on behind the last event', async () => {
    const { socket: opened, inbox } = await socket([bearer(buyer.token)])
    const closed = once(opened, 'close')
    await tell(api, [buyer.agentId])
    const [seen] = await inbox.until(({ length }) => length === 1)
    await sql`select market.begin_event_epoch()`.execute(api.db)
    expect((await closed)[0]).to.equal(1001)
    const order = await tell(api, [buyer.agentId])
    const next = await socket([bearer(buyer.token)], `?last_event_id=${seen?.event_id}`)
    await next.inbox.until(({ length }) => length === 1)
    expect(next.inbox.orders).to.deep.equal([order])
    next.socket.close()
  })

  describe('of a process of its own', () => {
    const serve = (options: { streamTimeoutMs?: number; log?: Logger } = {}) => {
      const { db, settings } = api
      return serveApi({ db, settings, rpc: openRpc('http://127.0.0.1:9'), ...options })
    }

    it('end when the process stops, and go on at the next', async () => {
      const first = await serve()
      const { source, inbox } = await openEventSource(first.baseUrl, buyer.token)
      const { socket: opened } = await openSocket(first.baseUrl, [bearer(buyer.token)])
      const closed = once(opened, 'close')
      const order = await tell(api, [buyer.agentId])
      await inbox.until(({ length }) => length === 1)
      await first.stop()
      const [code] = await closed
      expect([code, inbox.orders]).to.deep.equal([1001, [order]])
      source.close()
    })

    it('are cut off where the receiver takes nothing', async () => {
      await sql`insert into market.events (event_type, payload, visible_to)
        select 'order.funded', jsonb_build_object('filling', repeat('x', 100000)), ${[seller.agentId]}
        from generate_series(1, 150)`.execute(api.db)
      const cut = Promise.withResolvers<void>()
      const write = (line: string) => line.includes('takes nothing') && cut.resolve()
      const slow = await serve({ streamTimeoutMs: 100, log: pino({}, { write }) })
      const { hostname, port } = new URL(slow.baseUrl)
      const reader = connect(Number(port), hostname)
      const lines = [
        'GET /v1/events?last_event_id=earliest HTTP/1.1',
        'Host: x',
        `Authorization: Bearer ${seller.token}`,
      ]
      reader.write([...lines, '', ''].join('\r\n'))
      await cut.promise
      let taken = 0
      reader.on('data', ({ length }) => {
        taken += length
      })
      await new Promise((resolve) => reader.on('error', resolve).on('close', resolve))
      expect(taken).to.be.within(100_000, 14_000_000)
      await slow.stop()
      await sql`delete from market.events where payload ? 'filling'`.execute(api.db)
    })
  })
})
