import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { resumeOrder, suspendOrder } from '../../../../api/trading/orders/record/transition.ts'
import { sha256Hex } from '../../../../protocol/encoding/canonical.ts'
import { parseUrn, urnString } from '../../../../protocol/encoding/urn.ts'
import { acceptProposal } from '../../../../sdk/proposals.ts'
import { expectProblem } from '../../../kit/api/platform/http/api.ts'
import {
  deliver,
  delivered,
  everything,
  funded,
  type PlacedOrder,
  placed,
  read,
  startTrading,
  type TestMarket,
  type Trader,
  threadOf,
} from '../../../kit/api/trading.ts'

const OUTPUT_HASH = 'c0ffee'.padEnd(64, '0')

describe('the thread of an order', () => {
  let market: TestMarket
  let buyer: Trader
  let seller: Trader
  let stranger: Trader
  let order: PlacedOrder
  let thread_urn: string
  before(async () => {
    ;({ market, buyer, seller, stranger } = await startTrading())
    order = await funded(market, await placed(buyer, seller, 'custodied'))
    thread_urn = await threadOf(order)
  })
  after(() => market.stop())

  const post = (as: Trader, body: object, version = '2026-05-17') =>
    market.api.send('POST', '/v1/messages', {
      token: as.token,
      body: { thread_urn, ...body },
      headers: { 'market-version': version },
    })
  const refused = async (as: Trader, body: object, status: number, type: string, field?: string) => {
    const before = await everything(market)
    expectProblem(await post(as, body), status, type, field)
    expect(await everything(market)).to.deep.equal(before)
  }
  const eventsOf = async (orderId: string) => {
    const rows = await market.api.db.selectFrom('market.events').selectAll().orderBy('id').execute()
    return rows.filter(({ payload }) => payload.order_urn === urnString('order', orderId))
  }

  it('takes free text from both, and shows it to both, oldest first [spec 2.9:6 2.9:11 4:23 4:24]', async () => {
    await post(buyer, { kind: 'text', body: 'Iambs, please.' })
    await post(seller, { kind: 'text', body: 'Gladly.', payload: { metre: 'iambic' } })
    for (const as of [buyer, seller]) {
      const { body } = await as.client.call('listMessages', { params: { urn: thread_urn }, query: {} })
      expect(body.messages.map(({ body: words }) => words)).to.deep.equal(['Iambs, please.', 'Gladly.'])
      expect(body.messages[1]).to.deep.include({
        sender_urn: { prefix: 'agent', body: seller.agentId },
        payload: { metre: 'iambic' },
        kind: 'text',
      })
      expect(body.thread_urn).to.deep.equal({ prefix: 'thread', body: thread_urn.slice('market:thread:'.length) })
    }
  })

  it("takes a kind of the parties' own, with any payload or none [spec 2.9:7]", async () => {
    const own = await post(seller, { kind: 'acme.progress', payload: { percent: 40 } })
    expect(own.status).to.equal(201)
    expect(own.body).to.deep.include({ kind: 'acme.progress', payload: { percent: 40 } })
    const { status, body } = await post(buyer, { kind: 'constructor' })
    expect(status).to.equal(201)
    expect(body).to.not.have.any.keys('payload', 'body', 'sealed')
  })

  it('leaves out what a message does not have: it is absent, not null [spec 2.9:11]', async () => {
    const { body } = await buyer.client.call('listMessages', { params: { urn: thread_urn }, query: {} })
    const [words] = body.messages
    expect(words).to.deep.include({ body: 'Iambs, please.' }).and.not.have.any.keys('payload', 'sealed')
  })

  it('comes in pages [spec 4:23]', async () => {
    const page = (cursor?: string) =>
      buyer.client.call('listMessages', {
        params: { urn: thread_urn },
        query: { limit: 1, ...(cursor ? { cursor } : {}) },
      })
    const first = await page()
    const second = await page(first.body.next_cursor ?? '')
    expect([...first.body.messages, ...second.body.messages].map(({ body }) => body)).to.deep.equal([
      'Iambs, please.',
      'Gladly.',
    ])
    const path = `/v1/threads/${thread_urn}/messages?limit=1&cursor=${first.body.next_cursor}`
    expectProblem(await market.api.send('GET', path, { token: seller.token }), 400, 'request/invalid', 'cursor')
  })

  it('answers a post with its URNs as text now, and as objects in 2026-05-05 [spec 2.1:3 2.9:5]', async () => {
    const now = await post(buyer, { kind: 'text', body: 'now' })
    expect(now.body).to.deep.include({ thread_urn, sender_urn: urnString('agent', buyer.agentId) })
    expect(now.body.urn).to.match(/^market:message:/)
    const older = await post(buyer, { kind: 'text', body: 'before' }, '2026-05-05')
    expect(older.body.sender_urn).to.deep.equal({ prefix: 'agent', body: buyer.agentId })
    expect(older.body.urn).to.deep.include({ prefix: 'message' })
    expect(older.body.thread_urn).to.deep.equal({ prefix: 'thread', body: thread_urn.slice('market:thread:'.length) })
  })

  it('takes its URN in either form, in either version [spec 2.1:5]', async () => {
    const object = { prefix: 'thread', body: thread_urn.slice('market:thread:'.length) }
    for (const version of ['2026-05-05', '2026-05-17']) {
      for (const form of [object, thread_urn]) {
        expect((await post(buyer, { thread_urn: form, kind: 'text', body: 'hello' }, version)).status).to.equal(201)
      }
    }
  })

  it('is closed to strangers: 404 [spec 7:11]', async () => {
    await refused(stranger, { kind: 'text', body: 'hello' }, 404, 'resource/not-found')
    const path = `/v1/threads/${thread_urn}/messages`
    expectProblem(await market.api.send('GET', path, { token: stranger.token }), 404, 'resource/not-found')
  })

  it('takes digests in either case, with or without 0x, and keeps them in one form [spec 2.9:10]', async () => {
    const work = await funded(market, await placed(buyer, seller, 'custodied'))
    const payload = { kind: 'delivery', output_hash: `0x${OUTPUT_HASH.toUpperCase()}` }
    const notice = await post(seller, { thread_urn: await threadOf(work), kind: 'delivery_notice', payload })
    expect(notice.body.payload).to.deep.equal({ kind: 'delivery', output_hash: OUTPUT_HASH })
    const proposal = { thread_urn: await threadOf(work), kind: 'scope_change_proposal', body: 'One line more?' }
    const { body } = await post(buyer, proposal)
    const sha256 = `0x${String(body.sha256).toUpperCase()}`
    const path = `/v1/messages/${body.urn}/accept`
    expect((await market.api.send('POST', path, { token: seller.token, body: { sha256 } })).status).to.equal(200)
  })

  const NOTICE = { kind: 'delivery', output_hash: OUTPUT_HASH }
  const refusals: [string, 'buyer' | 'seller', object, number, string, string?][] = [
    ['a kind too long', 'seller', { kind: 'k'.repeat(101), body: 'done' }, 400, 'request/invalid', 'kind'],
    ['no kind', 'seller', { body: 'done' }, 400, 'request/invalid', 'kind'],
    ['a member that does not exist', 'seller', { kind: 'text', text: 'hello' }, 400, 'request/invalid', 'text'],
    ['nothing to say', 'seller', { kind: 'text' }, 422, 'messages/invalid-payload', 'body'],
    ['an empty payload', 'seller', { kind: 'text', payload: {} }, 422, 'messages/invalid-payload', 'payload'],
    ['a text of white space', 'seller', { kind: 'text', body: ' \n' }, 400, 'request/invalid', 'body'],
    ['a text that nobody sees', 'buyer', { kind: 'text', body: '\u200b\u3164' }, 400, 'request/invalid', 'body'],
    [
      'a proposal that nobody sees',
      'buyer',
      { kind: 'scope_change_proposal', body: '\u2060' },
      400,
      'request/invalid',
      'body',
    ],
    ['a NUL', 'seller', { kind: 'text', body: 'a\0b' }, 400, 'request/invalid', 'body'],
    ['a NUL in its payload', 'seller', { kind: 'text', payload: { a: ['\0'] } }, 400, 'request/invalid', 'payload.a.0'],
    [
      'half a surrogate pair',
      'seller',
      { kind: 'text', payload: { a: '\ud800' } },
      400,
      'request/invalid',
      'payload.a',
    ],
    [
      'a payload too large',
      'seller',
      { kind: 'text', payload: { a: 'a'.repeat(70_000) } },
      422,
      'messages/invalid-payload',
      'payload',
    ],
    ['a payload that is a list', 'seller', { kind: 'text', payload: [] }, 400, 'request/invalid', 'payload'],
    ['a delivery by the buyer', 'buyer', { kind: 'delivery_notice', payload: NOTICE }, 403, 'auth/forbidden'],
    ['work started by the buyer', 'buyer', { kind: 'work_started' }, 403, 'auth/forbidden'],
    [
      'a revision asked for by the seller',
      'seller',
      { kind: 'revision_request', body: 'again' },
      403,
      'auth/forbidden',
    ],
    [
      'a revision of what was not delivered',
      'buyer',
      { kind: 'revision_request', body: 'again' },
      409,
      'orders/state-conflict',
    ],
    ['a delivery of nothing', 'seller', { kind: 'delivery_notice' }, 422, 'messages/invalid-payload', 'payload.kind'],
    [
      'a delivery without a hash',
      'seller',
      { kind: 'delivery_notice', payload: { kind: 'delivery' } },
      422,
      'messages/invalid-payload',
      'payload.output_hash',
    ],
    [
      'a delivery with half a hash',
      'seller',
      { kind: 'delivery_notice', payload: { ...NOTICE, output_hash: 'c0ffee' } },
      422,
      'messages/invalid-payload',
      'payload.output_hash',
    ],
    [
      'a delivery of no bytes',
      'seller',
      { kind: 'delivery_notice', payload: { ...NOTICE, output_hash: `0x${sha256Hex('').toUpperCase()}` } },
      422,
      'messages/invalid-payload',
      'payload.output_hash',
    ],
    [
      'a cancellation for no reason there is',
      'buyer',
      { kind: 'cancellation_proposal', payload: { reason_code: 'because' } },
      422,
      'messages/invalid-payload',
      'payload.reason_code',
    ],
    [
      'work that is to end at no time',
      'seller',
      { kind: 'work_started', payload: { expected_at: 'soon' } },
      422,
      'messages/invalid-payload',
      'payload.expected_at',
    ],
    [
      'a proposal whose description is no text',
      'buyer',
      { kind: 'scope_change_proposal', payload: { description: 43 } },
      422,
      'messages/invalid-payload',
      'payload.description',
    ],
    [
      'a delivery that names an order as its delivery',
      'seller',
      { kind: 'delivery_notice', payload: { ...NOTICE, delivery_urn: 'market:order:1' } },
      422,
      'messages/invalid-payload',
      'payload.delivery_urn',
    ],
  ]
  for (const [name, as, body, status, type, field] of refusals) {
    it(`refuses ${name}: ${status}, and nothing changes [spec 4:24]`, () =>
      refused(as === 'buyer' ? buyer : seller, body, status, type, field))
  }

  it('carries the work: started, delivered, and both are told [spec 1:7 2.9:8 2.9:9 3.1:6 3.1:7]', async () => {
    const work = await funded(market, await placed(buyer, seller, 'custodied', { auto_accept_seconds: 3600 }))
    const thread = await threadOf(work)
    const say = (body: { kind: 'work_started' | 'delivery_notice'; payload?: object; body?: string }) =>
      seller.client.call('postMessage', { body: { thread_urn: thread, ...body } as never })
    await say({ kind: 'work_started', payload: { expected_at: '2030-01-01T01:00:00+01:00' } })
    const { messages } = (await seller.client.call('listMessages', { params: { urn: thread }, query: {} })).body
    expect(messages[0]?.payload).to.deep.equal({ expected_at: '2030-01-01T00:00:00.000Z' })
    expect((await read(work)).state).to.equal('in_flight')
    await say({ kind: 'delivery_notice', payload: NOTICE, body: 'Here it is.' })
    const { state, delivered_at, accept_by } = await read(work)
    expect(state).to.equal('delivered')
    expect(Date.parse(accept_by ?? '') - Date.parse(delivered_at ?? '')).to.equal(3_600_000)
    const events = await eventsOf(work.id)
    expect(events.map(({ event_type }) => event_type)).to.deep.equal([
      'order.placed',
      'order.funded',
      'order.in_flight',
      'message.inserted',
      'order.delivered',
      'receipt.delivered',
      'message.inserted',
      'delivery.notice',
    ])
    const both = [buyer.agentId, buyer.humanId, seller.agentId, seller.humanId]
    for (const { visible_to } of events) expect(visible_to).to.have.members(both)
  })

  it('puts a message behind those that another process wrote by a clock ahead of this one', async () => {
    const work = await funded(market, await placed(buyer, seller, 'custodied'))
    const thread = await threadOf(work)
    await post(buyer, { thread_urn: thread, kind: 'text', body: 'one' })
    const ahead = uuidv7({ msecs: Date.now() + 60_000 })
    await sql`update market.messages set id = ${ahead} where thread_id = ${parseUrn('thread', thread)}`.execute(
      market.api.db,
    )
    for (const body of ['two', 'three']) await post(seller, { thread_urn: thread, kind: 'text', body })
    const { body } = await buyer.client.call('listMessages', { params: { urn: thread }, query: {} })
    expect(body.messages.map((message) => message.body)).to.deep.equal(['one', 'two', 'three'])
  })

  it('lets the buyer ask for a revision, and either propose another scope [spec 2.9:8]', async () => {
    const work = await delivered(market, await placed(buyer, seller, 'custodied'))
    const thread = await threadOf(work)
    const asked = await post(buyer, { thread_urn: thread, kind: 'revision_request', body: 'One line more.' })
    expect(asked.status).to.equal(201)
    for (const as of [buyer, seller]) {
      const proposed = await post(as, { thread_urn: thread, kind: 'scope_change_proposal', payload: { lines: 43 } })
      expect(proposed.status).to.equal(201)
    }
    expect((await read(work)).state).to.equal('delivered')
  })

  describe('a proposal', () => {
    const accept = (as: Trader, urn: string, sha256: unknown) =>
      market.api.send('POST', `/v1/messages/${urn}/accept`, { token: as.token, body: { sha256 } })
    const propose = async (as: Trader, work: PlacedOrder, message: object) => {
      const { status, body } = await post(as, { thread_urn: await threadOf(work), ...message })
      expect(status).to.equal(201)
      return { urn: body.urn as unknown as string, sha256: body.sha256 as string }
    }
    const unaccepted = async (ask: () => ReturnType<typeof accept>, status: number, type: string, field?: string) => {
      const before = await everything(market)
      expectProblem(await ask(), status, type, field)
      expect(await everything(market)).to.deep.equal(before)
    }
    const WIDER = { kind: 'scope_change_proposal', payload: { description: 'Forty-three lines.' }, body: 'One more?' }
    const working = async () => funded(market, await placed(buyer, seller, 'custodied'))

    it('of another scope, accepted, is part of the order and of its receipt', async () => {
      const work = await working()
      const { urn, sha256 } = await propose(buyer, work, WIDER)
      const { body } = await seller.client.call('listMessages', { params: { urn: await threadOf(work) }, query: {} })
      const [message] = body.messages
      if (!message) throw new Error('the proposal is not in the thread')
      expect((await acceptProposal(seller.client, message)).amendments).to.deep.equal([
        { message_urn: message.urn, sha256, accepted_at: (await read(work)).amendments[0]?.accepted_at },
      ])
      await unaccepted(() => accept(seller, urn, sha256), 409, 'proposals/superseded')
      const told = (await eventsOf(work.id)).find(({ event_type }) => event_type === 'proposal.accepted')
      expect(told?.payload).to.deep.include({ message_urn: urn, kind: 'scope_change_proposal', sha256 })
      await deliver(work)
      await buyer.client.call('acceptOrder', { params: { urn: work.urn } })
      const receipt = urnString('receipt', (await read(work)).receipt_urn?.body ?? '')
      const { signed } = (await buyer.client.call('getReceipt', { params: { urn: receipt } })).body
      expect(signed?.document.amendments).to.deep.equal([sha256])
    })

    it('of another time to deliver, accepted, moves the end of it, if the hold lasts so long', async () => {
      const work = await working()
      const { sla_due_at: former } = await read(work)
      const { maxSlaSeconds } = market.api.settings.rules
      const change = (sla_seconds: number) => ({ kind: 'scope_change_proposal', payload: { changes: { sla_seconds } } })
      const beyond = await propose(seller, work, change(maxSlaSeconds + 1))
      await unaccepted(
        () => accept(buyer, beyond.urn, beyond.sha256),
        ...([422, 'messages/invalid-payload', 'payload.changes.sla_seconds'] as const),
      )
      const weeks = 14 * 86_400
      const { urn, sha256 } = await propose(seller, work, change(weeks))
      expect((await read(work)).sla_due_at).to.equal(former)
      expect((await accept(buyer, urn, sha256)).status).to.equal(200)
      const { sla_due_at: due } = await read(work)
      expect(Date.parse(due ?? '') - Date.parse(former ?? '')).to.equal((weeks - 7 * 86_400) * 1000)
      await unaccepted(() => accept(buyer, urn, sha256), 409, 'proposals/superseded')
      const row = market.api.db.selectFrom('market.orders').select('sla_seconds').where('id', '=', work.id)
      expect((await row.executeTakeFirstOrThrow()).sla_seconds).to.equal(weeks)
      const told = (await eventsOf(work.id)).find(({ event_type }) => event_type === 'proposal.accepted')
      expect(told?.payload).to.deep.include({ sla_due_at: due })
    })

    it('to cancel, accepted, refunds the order whole, whoever proposed it', async () => {
      for (const [proposer, other] of [
        [buyer, seller],
        [seller, buyer],
      ] as const) {
        const work = await working()
        const { urn, sha256 } = await propose(proposer, work, {
          kind: 'cancellation_proposal',
          payload: { reason_code: 'changed_mind' },
        })
        expect((await read(work)).state).to.equal('funded')
        expect((await accept(other, urn, sha256)).status).to.equal(200)
        expect(await read(work)).to.deep.include({ state: 'cancelled', reason: 'changed_mind' })
        const payouts = await market.api.db
          .selectFrom('market.payouts')
          .selectAll()
          .where('order_id', '=', work.id)
          .execute()
        expect(payouts.map(({ leg, amount_micros }) => [leg, amount_micros])).to.deep.equal([['payer', 20_000_000n]])
      }
    })

    it('is accepted by the other side alone, as it reads, and while it stands', async () => {
      const work = await working()
      const first = await propose(buyer, work, WIDER)
      await unaccepted(() => accept(stranger, first.urn, first.sha256), 404, 'resource/not-found')
      await unaccepted(() => accept(buyer, first.urn, first.sha256), 403, 'auth/forbidden')
      await unaccepted(() => accept(seller, first.urn, OUTPUT_HASH), 422, 'proposals/other-digest', 'sha256')
      await unaccepted(() => accept(seller, first.urn, 'x'), 400, 'request/invalid', 'sha256')
      await unaccepted(() => accept(seller, work.urn, first.sha256), 404, 'resource/not-found')
      const words = await propose(buyer, work, { kind: 'text', body: 'Well?' })
      await unaccepted(() => accept(seller, words.urn, words.sha256), 422, 'proposals/none')
      const second = await propose(buyer, work, { ...WIDER, body: 'Two more?' })
      await unaccepted(() => accept(seller, first.urn, first.sha256), 409, 'proposals/superseded')
      const cancellation = { kind: 'cancellation_proposal', payload: { reason_code: 'other' } }
      const late = await propose(buyer, work, cancellation)
      await deliver(work)
      await unaccepted(() => accept(seller, late.urn, late.sha256), 409, 'orders/state-conflict')
      expect((await accept(seller, second.urn, second.sha256)).status).to.equal(200)
      await buyer.client.call('acceptOrder', { params: { urn: work.urn } })
      await unaccepted(() => accept(seller, second.urn, second.sha256), 409, 'orders/state-conflict')
    })

    it('ends no order whose payment is gone from the chain, until it is back', async () => {
      const work = await working()
      const content = { kind: 'cancellation_proposal', payload: { reason_code: 'other' } }
      const { urn, sha256 } = await propose(buyer, work, content)
      await market.api.db.transaction().execute((tx) => suspendOrder(tx, work.id))
      expectProblem(await accept(seller, urn, sha256), 409, 'orders/suspended')
      await market.api.db.transaction().execute((tx) => resumeOrder(tx, work.id))
      expect((await accept(seller, urn, sha256)).status).to.equal(200)
    })

    it('has one effect when both sides act at once', async () => {
      const work = await working()
      const { urn, sha256 } = await propose(buyer, work, {
        kind: 'cancellation_proposal',
        payload: { reason_code: 'other' },
      })
      const answers = await Promise.all(Array.from({ length: 5 }, () => accept(seller, urn, sha256)))
      expect(answers.map(({ status }) => status).toSorted()).to.deep.equal([200, 409, 409, 409, 409])
    })
  })
})
