import { createHash, randomUUID } from 'node:crypto'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sha256Hex } from '../../../../protocol/encoding/canonical.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { type DigestedMessage, messageSha256 } from '../../../../protocol/records/message.ts'
import { expectProblem } from '../../../kit/api/platform/http/api.ts'
import { type Deliveries, HASH, startDeliveries, WORK } from '../../../kit/api/trading/deliveries/deliveries.ts'
import {
  everything,
  type PlacedOrder,
  passTime,
  read,
  type TestMarket,
  type Trader,
  threadOf,
} from '../../../kit/api/trading.ts'

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

  it('is uploaded, handed over, and downloaded by its buyer, byte for byte [spec 4:25]', async () => {
    const work = await desk.working()
    const urn = await desk.keep(work)
    expect((await desk.readAs(buyer, urn)).download).to.equal(null)
    expect((await desk.notice(work, urn)).status).to.equal(201)
    expect((await read(work)).delivery_has_bytes).to.equal(true)
    const record = await desk.readAs(buyer, urn)
    expect(record).to.deep.include({ output_hash: HASH, size_bytes: WORK.length, filename: 'verse.txt' })
    expect(record.message_urn).to.deep.include({ prefix: 'message' })
    const answer = await desk.fetchLink(await desk.linkOf(buyer, urn))
    expect(Buffer.from(await answer.arrayBuffer()).equals(WORK)).to.equal(true)
    const headers = Object.fromEntries(answer.headers)
    expect(headers).to.include({
      'content-type': 'application/octet-stream',
      'content-length': String(WORK.length),
      'content-disposition': `attachment; filename="verse.txt"; filename*=UTF-8''verse.txt`,
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
    expect(told?.payload).to.deep.include({
      order_urn: work.urn,
      delivery_urn: urn,
      output_hash: HASH,
      state: 'funded',
    })
    const both = [buyer.agentId, buyer.humanId, seller.agentId, seller.humanId]
    expect(told?.visible_to).to.have.members(both)
  })

  it('that a thief of the file store replaced is not of the hash that its seller named, which its link still says [risk blob-store]', async () => {
    const work = await desk.working()
    const urn = await desk.keep(work)
    await desk.notice(work, urn)
    const { blobDirectory } = market.api.settings
    const other = Buffer.from('An advertisement.'.padEnd(WORK.length))
    for (const entry of await readdir(blobDirectory, { recursive: true, withFileTypes: true }))
      if (entry.isFile()) await writeFile(join(entry.parentPath, entry.name), other)
    const answer = await desk.fetchLink(await desk.linkOf(buyer, urn))
    const digest = createHash('sha256').update(Buffer.from(await answer.arrayBuffer()))
    expect(digest.digest('hex')).to.not.equal(HASH)
    expect(answer.headers.get('repr-digest')).to.equal(`sha-256=:${Buffer.from(HASH, 'hex').toString('base64')}:`)
    expect((await desk.readAs(buyer, urn)).output_hash).to.equal(HASH)
  })

  it('has its URN in the form of the answer: text to who posts in 2026-05-17, an object elsewhere [spec 4:25]', async () => {
    for (const version of ['2026-05-05', '2026-05-17']) {
      const work = await desk.working()
      const urn = await desk.keep(work)
      const object = { prefix: 'delivery', body: urn.slice('market:delivery:'.length) }
      const body = {
        thread_urn: await threadOf(work),
        kind: 'delivery_notice',
        payload: { kind: 'delivery', output_hash: `0x${HASH.toUpperCase()}`, delivery_urn: object },
      }
      const posted = await market.api.send('POST', '/v1/messages', {
        token: seller.token,
        body,
        headers: { 'market-version': version },
      })
      const payload = { kind: 'delivery', output_hash: HASH }
      expect(posted.body.payload).to.deep.equal({ ...payload, delivery_urn: version === '2026-05-05' ? object : urn })
      const path = `/v1/threads/${body.thread_urn}/messages`
      const { messages } = (await market.api.send('GET', path, { token: buyer.token })).body
      const [listed] = messages as (DigestedMessage & { sha256: string })[]
      expect(listed?.payload).to.deep.equal({ ...payload, delivery_urn: object })
      // The digest is the same in both forms.
      expect(listed && messageSha256(listed)).to.equal(listed?.sha256)
      expect(posted.body.sha256).to.equal(listed?.sha256)
    }
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

  it('has links that end, and that end for who is no party any more [risk secret-key]', async () => {
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
    const { rules } = market.api.settings
    const { linkSeconds } = rules
    rules.linkSeconds = 60
    const shorter = await desk.linkOf(buyer, urn)
    const config = (await market.api.send('GET', '/v1/config/public')).body
    rules.linkSeconds = linkSeconds
    expect(config.rules).to.include({ link_seconds: 60 })
    await passTime(market.api, 60)
    await desk.refusedLink(shorter, 403, 'deliveries/link-expired')
  })
})
