import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import type { PublicClient } from 'viem'
import { sha256Hex } from '../../../../protocol/encoding/canonical.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { expectProblem, serveApi } from '../../../kit/api/platform/http/api.ts'
import { type Deliveries, HASH, LIMIT, startDeliveries, WORK } from '../../../kit/api/trading/deliveries/deliveries.ts'
import { newTrader, type PlacedOrder, placed, type TestMarket, type Trader } from '../../../kit/api/trading.ts'

describe('a delivery', () => {
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

  it('whose bytes are not what was said is not kept', () =>
    desk.leavesNothing(async () => {
      expectProblem(await desk.upload('Forty-one lines.'), 422, 'deliveries/wrong-hash', 'output_hash')
      expectProblem(await desk.upload(''), 422, 'deliveries/wrong-hash', 'output_hash')
    }))
  it('of no bytes is not kept', () =>
    desk.leavesNothing(async () => {
      const empty = await desk.upload('', { output_hash: sha256Hex(Buffer.alloc(0)) })
      expectProblem(empty, 400, 'request/invalid', 'output_hash')
    }))
  it('that is too large is not kept, whether it says so or not', () =>
    desk.leavesNothing(async () => {
      const large = Buffer.alloc(LIMIT + 1)
      expectProblem(await desk.upload(large, { output_hash: sha256Hex(large) }), 413, 'request/too-large')
      const chunks = ReadableStream.from(Array.from({ length: 11 }, () => new Uint8Array(LIMIT / 10)))
      expectProblem(await desk.upload(chunks), 413, 'request/too-large')
    }))
  it('of exactly the largest size is kept', async () => {
    const largest = Buffer.alloc(LIMIT, 'a')
    expect((await desk.upload(largest, { output_hash: sha256Hex(largest) })).status).to.equal(201)
  })

  it('that breaks off leaves nothing, neither of its bytes nor of itself', () =>
    desk.leavesNothing(async () => {
      const uploaded = desk.nextUpload()
      const socket = connect(Number(new URL(market.api.baseUrl).port), '127.0.0.1')
      const head = [
        `POST /v1/deliveries?${desk.query()} HTTP/1.1`,
        'Host: market',
        `Authorization: Bearer ${seller.token}`,
      ]
      const more = ['Market-Version: 2026-05-17', `Content-Length: ${WORK.length}`, '', '']
      socket.write([...head, ...more].join('\r\n'))
      socket.write(WORK.subarray(0, -1))
      await once(socket, 'connect')
      socket.end()
      await uploaded
      socket.destroy()
    }))
  it('takes longer than a request of JSON may', async () => {
    const { db, settings } = market.api
    const hasty = await serveApi({ db, settings, rpc: {} as PublicClient, bodyTimeoutMs: 1 })
    const rest = Promise.withResolvers<void>()
    const bytes = async function* () {
      yield WORK.subarray(0, 5)
      await rest.promise
      yield WORK.subarray(5)
    }
    const slow = (path: string) =>
      hasty.send('POST', path, { token: seller.token, raw: ReadableStream.from(bytes()) as ReadableStream<Uint8Array> })
    const uploading = slow(`/v1/deliveries?${desk.query()}`)
    expectProblem(await slow('/v1/asks'), 408, 'request/timeout')
    rest.resolve()
    expect((await uploading).status).to.equal(201)
    await hasty.stop()
  })

  it('that arrives compressed is refused: its hash would be of something else', () =>
    desk.leavesNothing(async () => {
      const reply = await desk.upload(gzipSync(WORK), {}, seller, { 'content-encoding': 'gzip' })
      expectProblem(reply, 415, 'request/unsupported-media-type')
      expect(reply.headers.get('accept-encoding')).to.equal('identity')
    }))

  it('that comes in a form is refused: the form would be the delivery', () =>
    desk.leavesNothing(async () => {
      const reply = await desk.upload(WORK, {}, seller, { 'content-type': 'multipart/form-data; boundary=x' })
      expectProblem(reply, 415, 'request/unsupported-media-type')
    }))

  it("is the seller's to upload, while the order takes one, and twenty times", async () => {
    const reader = await newTrader(market, { owner: seller, scopes: ['read'], wallet: 'unbound' })
    const unpaid = await placed(buyer, seller, 'custodied')
    const full = await desk.working()
    const row = () => ({ id: randomUUID(), order_id: full.id, sha256: HASH, size_bytes: 1n })
    await market.api.db
      .insertInto('market.deliveries')
      .values(Array.from({ length: 20 }, row))
      .execute()
    await desk.leavesNothing(async () => {
      expectProblem(await desk.upload(WORK, {}, buyer), 403, 'auth/forbidden')
      expectProblem(await desk.upload(WORK, {}, stranger), 404, 'resource/not-found')
      expectProblem(await desk.upload(WORK, { order_urn: urnString('order', randomUUID()) }), 404, 'resource/not-found')
      expectProblem(await desk.upload(WORK, {}, reader), 403, 'auth/scope-insufficient')
      expectProblem(await desk.upload(WORK, { order_urn: unpaid.urn }), 409, 'orders/state-conflict')
      expectProblem(await desk.upload(WORK, { order_urn: full.urn }), 409, 'deliveries/too-many')
    })
  })

  it('sent twice under one key is one', async () => {
    const work = await desk.working()
    const key = { 'idempotency-key': randomUUID() }
    const first = await desk.upload(WORK, { order_urn: work.urn }, seller, key)
    const second = await desk.upload(WORK, { order_urn: work.urn }, seller, key)
    expect(second.body).to.deep.equal(first.body)
    const rows = await market.api.db
      .selectFrom('market.deliveries')
      .selectAll()
      .where('order_id', '=', work.id)
      .execute()
    expect(rows).to.have.length(1)
  })

  it('with the idempotency key of another upload is refused, though only the query string differs', async () => {
    const [work, other] = [await desk.working(), await desk.working()]
    const key = { 'idempotency-key': randomUUID() }
    const named = { order_urn: work.urn, filename: 'verse.txt' }
    expect((await desk.upload(WORK, named, seller, key)).status).to.equal(201)
    const changes = [{ ...named, filename: 'prose.txt' }, { order_urn: work.urn }, { ...named, order_urn: other.urn }]
    for (const changed of changes)
      await desk.leavesNothing(async () => {
        const reply = await desk.upload(WORK, changed, seller, key)
        expectProblem(reply, 409, 'idempotency/key-reused', 'Idempotency-Key')
      })
  })

  it('has a file name in any script, without invisible characters that join nothing', async () => {
    const names = { 'گزارش\u200cها.txt': 'گزارش\u200cها.txt', 'pay\u200bload\u00ad.txt ': 'payload.txt' }
    for (const [given, kept] of Object.entries(names)) {
      const work = await desk.working()
      const { status, body } = await desk.upload(WORK, { order_urn: work.urn, filename: given })
      expect([status, body.filename]).to.deep.equal([201, kept])
    }
  })

  it('cannot be named so that it lands, or is shown, somewhere else', async () => {
    for (const filename of ['../../etc/passwd', 'a/b', '..\\b', 'a\nb', 'a\u202eb', '']) {
      await desk.leavesNothing(async () =>
        expectProblem(await desk.upload(WORK, { filename }), 400, 'request/invalid', 'filename'),
      )
    }
    for (const name of ['../../etc/passwd', '%2e%2e%2f%2e%2e%2fetc%2fpasswd', 'market:delivery:../../x']) {
      const path = `/v1/deliveries/${encodeURIComponent(name)}`
      expectProblem(await market.api.send('GET', path, { token: seller.token }), 404, 'resource/not-found')
    }
    const urn = await desk.keep(order, '"Vers"; (1)*\u00e9\u4e2d.txt')
    const answer = await desk.fetchLink(await desk.linkOf(seller, urn))
    expect(answer.headers.get('content-disposition')).to.equal(
      'attachment; filename="_Vers__ (1)*e_.txt"; filename*=UTF-8\'\'%22Vers%22%3B%20%281%29%2A%C3%A9%E4%B8%AD.txt',
    )
    expect((await desk.files()).every((name) => /^[0-9a-f-]{36}$/.test(name))).to.equal(true)
  })
})
