import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sha256Hex } from '../../../protocol/canonical.ts'
import { urnString } from '../../../protocol/urn.ts'
import { expectProblem } from '../http/api.ts'
import { everything, type PlacedOrder, passTime, type TestMarket, type Trader } from '../trading.ts'
import { type Deliveries, HASH, startDeliveries, WORK } from './deliveries.ts'

describe('a delivery that is handed over', () => {
  let desk: Deliveries
  let market: TestMarket
  let buyer: Trader
  let seller: Trader
  let stranger: Trader
  let order: PlacedOrder

  before(async () => {
    desk = await startDeliveries()
    ;({ market, buyer, seller, stranger, order } = desk)
  })

  after(() => desk?.stop())

  it('is uploaded, handed over, and downloaded by its buyer, byte for byte', async () => {
    const work = await desk.working()
    const urn = await desk.keep(work)
    expect((await desk.readAs(buyer, urn)).download).to.equal(null)
    expect((await desk.notice(work, urn)).status).to.equal(201)
    const record = await desk.readAs(buyer, urn)
    expect(record).to.deep.include({ output_hash: HASH, size_bytes: WORK.length, filename: 'verse.txt' })
    expect(record.message_urn).to.deep.include({ prefix: 'message' })
    const answer = await desk.fetchLink(await desk.linkOf(buyer, urn))
    expect(Buffer.from(await answer.arrayBuffer()).equals(WORK)).to.equal(true)
    const headers = Object.fromEntries(answer.headers)
    expect(headers).to.include({
      'content-type': 'application/octet-stream',
      'content-length': String(WORK.length),
      'content-disposition': "attachment; filename*=UTF-8''verse.txt",
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'repr-digest': `sha-256=:${Buffer.from(HASH, 'hex').toString('base64')}:`,
    })
    const head = await desk.fetchLink(await desk.linkOf(seller, urn), 'HEAD')
    expect([head.status, head.headers.get('content-length')]).to.deep.equal([200, String(WORK.length)])
    const events = await market.api.db
      .selectFrom('market.events')
      .selectAll()
      .where('event_type', '=', 'delivery.received')
      .execute()
    const told = events.find(({ payload }) => payload.delivery_urn === urn)
    expect(told?.payload).to.deep.equal({ order_urn: work.urn, delivery_urn: urn, output_hash: HASH })
    expect(told?.visible_to).to.have.members([buyer.agentId, seller.agentId])
  })

  const orderOf = ({ id }: PlacedOrder) =>
    market.api.db.selectFrom('market.orders').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

  it('is handed over for its own order, once, and by its own hash', async () => {
    const [one, other] = [await desk.working(), await desk.working()]
    const urn = await desk.keep(one)
    const before = await everything(market)
    const field = 'payload.delivery_urn'
    expectProblem(await desk.notice(other, urn), 422, 'messages/invalid-payload', field)
    expectProblem(await desk.notice(one, urnString('delivery', randomUUID())), 422, 'messages/invalid-payload', field)
    expectProblem(await desk.notice(one, urn, sha256Hex('x')), 422, 'messages/invalid-payload', 'payload.output_hash')
    expect(await everything(market)).to.deep.equal(before)
    expect((await desk.notice(one, urn)).status).to.equal(201)
    const path = `/v1/receipts/market:receipt:${(await orderOf(one)).receipt_id}/sign`
    const body = { accept: false }
    await market.api.send('POST', path, { token: buyer.token, body, headers: { 'market-version': '2026-05-05' } })
    expectProblem(await desk.notice(one, urn), 422, 'messages/invalid-payload', field)
  })

  it('is closed to strangers, and so is every link that was not given out', async () => {
    const urn = await desk.keep(order)
    const path = `/v1/deliveries/${urn}`
    expectProblem(await market.api.send('GET', path, { token: stranger.token }), 404, 'resource/not-found')
    const link = await desk.linkOf(seller, urn)
    const another = await desk.keep(order)
    await desk.refusedLink(link.replace(urn, another), 404, 'resource/not-found')
    await desk.refusedLink(link.replace(seller.agentId, stranger.agentId), 404, 'resource/not-found')
    await desk.refusedLink(link.replace(/expires=\d+/, 'expires=99999999999'), 404, 'resource/not-found')
    await desk.refusedLink(link.replace(/signature=.*/, `signature=${'A'.repeat(43)}`), 404, 'resource/not-found')
    await desk.refusedLink(link.replace(/&signature=.*/, ''), 400, 'request/invalid', 'signature')
  })

  it('has links that end, and that end for who is no party any more', async () => {
    const work = await desk.working()
    const urn = await desk.keep(work)
    await desk.notice(work, urn)
    const link = await desk.linkOf(buyer, urn)
    const asBuyer = (id: string) =>
      market.api.db.updateTable('market.orders').set({ buyer_id: id }).where('id', '=', work.id).execute()
    await asBuyer(stranger.agentId)
    await desk.refusedLink(link, 404, 'resource/not-found')
    await asBuyer(buyer.agentId)
    await passTime(market.api, 290)
    expect((await desk.fetchLink(link)).status).to.equal(200)
    await passTime(market.api, 10)
    await desk.refusedLink(link, 403, 'deliveries/link-expired')
  })
})
