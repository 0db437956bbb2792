import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import type { TimelineRow } from '../../../api/trading/timeline/routes.ts'
import { sha256Hex } from '../../../protocol/encoding/canonical.ts'
import { urnString } from '../../../protocol/encoding/urn.ts'
import { expectProblem } from '../../kit/api/platform/http/api.ts'
import { decideDispute } from '../../kit/api/trading/disputes/arbitration.ts'
import {
  delivered,
  funded,
  newTrader,
  type PlacedOrder,
  placed,
  startTrading,
  type TestMarket,
  type Trader,
  threadOf,
} from '../../kit/api/trading.ts'

describe('the timeline of an order', () => {
  let market: TestMarket
  let buyer: Trader
  let seller: Trader
  let order: PlacedOrder
  before(async () => {
    ;({ market, buyer, seller } = await startTrading())
    const hook = { url: 'https://example.com/hook', event_types: ['order.funded'] }
    const made = await market.api.send('POST', '/v1/webhooks', { token: buyer.token, body: hook })
    expect(made.status).to.equal(201)
    order = await placed(buyer, seller, 'contract')
    await funded(market, order)
    const thread_urn = await threadOf(order)
    await buyer.client.call('postMessage', { body: { thread_urn, kind: 'note', body: 'Rhymes, please.' } })
    const uploaded = await market.api.send(
      'POST',
      `/v1/deliveries?order_urn=${order.urn}&output_hash=${sha256Hex('the work')}`,
      {
        token: seller.token,
        raw: 'the work',
        headers: { 'content-type': 'application/octet-stream' },
      },
    )
    expect(uploaded.status, JSON.stringify(uploaded.body)).to.equal(201)
    const delivery_urn = urnString('delivery', (uploaded.body.delivery_urn as { body: string }).body)
    const payload = { kind: 'delivery', output_hash: sha256Hex('the work'), delivery_urn }
    await seller.client.call('postMessage', { body: { thread_urn, kind: 'delivery_notice', payload } })
  })
  after(() => market.stop())

  const ask = (token: string, query = '', urn = order.urn) =>
    market.api.send('GET', `/v1/orders/${urn}/timeline?${query}`, { token })
  const rowsOf = async (token: string, query = '', urn = order.urn) => {
    const reply = await ask(token, query, urn)
    expect(reply.status, JSON.stringify(reply.body)).to.equal(200)
    return reply.body.rows as TimelineRow[]
  }
  const named = (rows: TimelineRow[]) =>
    rows.map(({ kind, state, message, chain, ledger, event }) => {
      return `${kind} ${state ?? message?.kind ?? chain?.what ?? ledger?.what ?? event?.event_type}`
    })

  it('says what happened, in the order of cause: the payment, what was booked for it, and then that it is funded', async () => {
    const rows = await rowsOf(buyer.token)
    const names = named(rows)
    expect(names.filter((name) => !name.startsWith('event '))).to.deep.equal([
      ...['state placed', 'chain funded', 'ledger funded', 'state funded', 'message note'],
      ...['delivery delivery.received', 'state delivered', 'message delivery_notice'],
    ])
    const [chain, ledger, state] = rows.slice(1)
    expect(new Set([chain?.cause, ledger?.cause, state?.cause]).size).to.equal(1)
    expect(chain?.chain).to.include({ is_reorganised_away: false, times_reorganised: 0 })
    expect(ledger?.ledger?.legs).to.deep.equal([
      { account: 'escrow_contract', amount: '-20.000000' },
      { account: 'hold', amount: '20.000000' },
    ])
    const [note, notice] = rows.filter(({ kind }) => kind === 'message').map(({ message }) => message)
    expect(note).to.include({ by: 'buyer', body: 'Rhymes, please.' })
    const { delivery } = rows.find(({ kind }) => kind === 'delivery') as TimelineRow
    expect(notice?.payload?.delivery_urn).to.deep.equal(delivery?.delivery_urn)
  })

  it('names the deliveries to one’s own webhooks, the deadlines ahead, and what is under way', async () => {
    const isFunded = ({ state }: TimelineRow) => state === 'funded'
    const mine = (await rowsOf(buyer.token)).find(isFunded)
    expect(mine?.webhooks?.[0]).to.include({ status: 'pending', attempts: 0 })
    expect((await rowsOf(seller.token)).find(isFunded)).to.not.have.property('webhooks')
    const { body } = await ask(buyer.token)
    expect((body.ahead as { what: string }[]).map(({ what }) => what)).to.deep.equal(['decide', 'expire'])
    expect(body).to.deep.include({ is_complete: true, under_way: [] })
  })

  it('comes in pages that together are the whole, and in the kinds that one asks for', async () => {
    const whole = await rowsOf(buyer.token)
    const pages: TimelineRow[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await ask(buyer.token, `limit=2${cursor ? `&cursor=${cursor}` : ''}`)
      pages.push(...(body.rows as TimelineRow[]))
      cursor = body.next_cursor as string | null
    }
    expect(pages).to.deep.equal(whole)
    expect(named(await rowsOf(buyer.token, 'kinds=chain,message'))).to.deep.equal(
      named(whole.filter(({ kind }) => kind === 'chain' || kind === 'message')),
    )
    expectProblem(await ask(buyer.token, 'kinds=chain,gossip'), 400, 'request/invalid', 'kinds.1')
  })

  it('says to the parties why a delivery was rejected, and the verdict with its grounds, where each happened', async () => {
    const { urn } = await delivered(market, await placed(buyer, seller, 'custodied'))
    const params = { urn }
    await buyer.client.call('rejectOrder', { params, body: { reason: 'Line 7 does not rhyme.' } })
    const claim = { grounds: ['not_delivered' as const], what_happened: 'Nothing came.', requested_refund: '12.000000' }
    const opener_urn = urnString('agent', buyer.agentId)
    const { body: opened } = await buyer.client.call('openDispute', { body: { order_urn: urn, opener_urn, claim } })
    await decideDispute(market.api, urnString('dispute', opened.urn.body))
    const rows = await rowsOf(seller.token, '', urn)
    const rejected = rows.filter(({ state }) => state === 'rejected')
    expect(rejected.map(({ rejection }) => rejection)).to.deep.equal([
      { delivery: 1, reason: 'Line 7 does not rhyme.' },
    ])
    const decisions = rows.filter(({ kind }) => kind === 'decision')
    expect(named(decisions)).to.deep.equal(['decision dispute.opened', 'decision verdict.signed'])
    expect(named(await rowsOf(buyer.token, 'kinds=decision', urn))).to.deep.equal(named(decisions))
    const verdict = decisions[1]?.verdict
    const signed = await seller.client.call('getVerdict', {
      params: { urn: urnString('verdict', verdict?.verdict_urn.body ?? '') },
    })
    expect(verdict).to.include({ sequence: 1, by: 'rules', winner: 'buyer', refund: '12.000000' })
    expect(verdict?.grounds).to.equal(signed.body.grounds)
  })

  it('says that a reorganisation took a transaction back', async () => {
    const set = (at: 'market.now()' | 'null', times: number) =>
      sql`update market.processed_chain_events set vanished_at = ${sql.raw(at)}, times_vanished = ${times}`.execute(
        market.api.db,
      )
    await set('market.now()', 1)
    const [chain] = await rowsOf(buyer.token, 'kinds=chain')
    expect(chain?.chain).to.include({ is_reorganised_away: true, times_reorganised: 1 })
    await set('null', 0)
  })

  it('is for the parties and their humans', async () => {
    const whole = named(await rowsOf(buyer.token))
    expect(named(await rowsOf(buyer.humanToken))).to.deep.equal(whole)
    expect(named(await rowsOf(seller.humanToken))).to.deep.equal(whole)
    const stranger = await newTrader(market)
    for (const token of [stranger.token, stranger.humanToken, market.api.first.operator_token])
      expectProblem(await ask(token), 404, 'resource/not-found')
  })

  it('shows an assigned reviewer what happened and no names, and writes down that it was read', async () => {
    const { db, first } = market.api
    const [token = ''] = first.reviewer_tokens
    const rejected = { params: { urn: order.urn }, body: { reason: 'It does not rhyme.' } }
    await buyer.client.call('rejectOrder', rejected)
    const me = await market.api.send('GET', '/v1/me', { token })
    const reviewer = String((me.body.urn as { body: string }).body)
    await sql`with dispute as (
        insert into market.disputes (id, order_id, state, opener, due_at)
        values (gen_random_uuid(), ${order.id}, 'in_review', 'buyer', market.now()) returning id),
      review as (insert into market.reviews (id, dispute_id, reviewer_id) select gen_random_uuid(), id, ${reviewer} from dispute)
      update market.orders set dispute_id = dispute.id from dispute where orders.id = ${order.id}`.execute(db)
    const rows = await rowsOf(token)
    expect(named(rows)).to.include.members(['state placed', 'chain funded', 'message note', 'state delivered'])
    for (const party of [buyer, seller]) expect(JSON.stringify(rows)).to.not.include(party.agentId)
    expect(named(rows)).to.include('state rejected')
    expect(JSON.stringify(rows)).to.not.include('It does not rhyme.')
    const [, other = ''] = first.reviewer_tokens
    expectProblem(await ask(other), 404, 'resource/not-found')
    const log = await db.selectFrom('market.audit_log').select(['action', 'subject']).orderBy('id', 'desc').execute()
    expect(log[0]).to.deep.equal({ action: 'review.read', subject: urnString('order', order.id) })
  })
})
