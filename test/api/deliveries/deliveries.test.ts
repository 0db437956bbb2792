import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { pino } from 'pino'
import type { PublicClient } from 'viem'
import { z } from 'zod'
import { getDelivery, uploadDelivery } from '../../../api/deliveries/routes.ts'
import { buildExports } from '../../../api/jobs/exports.ts'
import { removeBlobs } from '../../../api/jobs/removeBlobs.ts'
import { sweepBlobs } from '../../../api/jobs/sweepBlobs.ts'
import { postMessage } from '../../../api/threads/routes.ts'
import { sha256Hex } from '../../../protocol/canonical.ts'
import { urnString } from '../../../protocol/urn.ts'
import { expectProblem, serveApi } from '../http/api.ts'
import {
  everything,
  funded,
  newTrader,
  type PlacedOrder,
  passTime,
  placed,
  startMarket,
  type TestMarket,
  type Trader,
  threadOf,
} from '../trading.ts'

const WORK = Buffer.from('Forty-two lines of verse.')
const HASH = sha256Hex(WORK)
const LIMIT = 1_000_000
const exported = z.object({
  deliveries: z.array(z.object({ urn: z.string(), sha256: z.string(), content_base64: z.string() })),
  messages: z.array(z.object({ sender_urn: z.string(), kind: z.string(), body: z.string().nullable() })),
})

describe('a delivery', () => {
  let market: TestMarket
  let buyer: Trader
  let seller: Trader
  let stranger: Trader
  let order: PlacedOrder
  // The log's line of a request is written when everything about it is done.
  let uploaded = Promise.withResolvers<void>()
  before(async () => {
    const write = (line: string) => {
      if (JSON.parse(line).operationId === 'uploadDelivery') uploaded.resolve()
    }
    market = await startMarket({ log: { write } })
    market.api.settings.rules.maxDeliveryBytes = LIMIT
    buyer = await newTrader(market)
    seller = await newTrader(market)
    stranger = await newTrader(market)
    order = await working()
  })
  after(() => market.stop())

  const working = async () => funded(market, await placed(buyer, seller, 'custodied'))
  const query = (changes: Record<string, string> = {}) =>
    new URLSearchParams({ order_urn: order.urn, output_hash: HASH, ...changes })
  const upload = (raw: string | Buffer | ReadableStream<Uint8Array>, changes = {}, as = seller, headers = {}) =>
    market.api.send('POST', `/v1/deliveries?${query(changes)}`, { token: as.token, raw, headers })
  const keep = async (of: PlacedOrder, filename = 'verse.txt') => {
    const { body } = await seller.client.call(uploadDelivery, {
      query: { order_urn: of.urn, output_hash: HASH, filename },
      upload: new Uint8Array(WORK),
    })
    return urnString('delivery', body.delivery_urn.body)
  }
  const notice = async (of: PlacedOrder, delivery_urn: string, output_hash = HASH) =>
    market.api.send('POST', '/v1/messages', {
      token: seller.token,
      body: {
        thread_urn: await threadOf(of),
        kind: 'delivery_notice',
        payload: { kind: 'delivery', output_hash, delivery_urn },
      },
    })
  const readAs = async (as: Trader, urn: string) => (await as.client.call(getDelivery, { params: { urn } })).body
  const linkOf = async (as: Trader, urn: string) => {
    const { pathname, search } = new URL((await readAs(as, urn)).download?.url ?? '')
    return pathname + search
  }
  const fetchLink = (link: string, method = 'GET') => fetch(market.api.baseUrl + link, { method })
  const refusedLink = async (link: string, status: number, type: string, field?: string) =>
    expectProblem(await market.api.send('GET', link), status, type, field)
  const files = async () => {
    const entries = await readdir(market.api.settings.blobDirectory, { recursive: true, withFileTypes: true }).catch(
      () => [],
    )
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
  }
  const leavesNothing = async (act: () => Promise<unknown>) => {
    const [rows, kept] = [await everything(market), await files()]
    await act()
    expect(await everything(market)).to.deep.equal(rows)
    expect(await files()).to.deep.equal(kept)
  }

  const jobServices = () => {
    const { db, settings } = market.api
    return { db, settings, rpc: {} as PublicClient, log: pino({ level: 'silent' }) }
  }
  /** Everything a trader's human has, as they are given it: it is as long and has the hash that was said. */
  const exportOf = async ({ humanToken: token }: Trader) => {
    const { body } = await market.api.send('POST', '/v1/me/exports', { token })
    await buildExports(jobServices())
    const path = `/v1/me/exports/${urnString('export', body.urn.body)}`
    const { body: made } = await market.api.send('GET', path, { token })
    const link = await fetch(`${market.api.baseUrl}${path}/download`, { headers: { authorization: `Bearer ${token}` } })
    const bytes = Buffer.from(await link.arrayBuffer())
    expect([bytes.length, sha256Hex(bytes)]).to.deep.equal([made.size_bytes, made.sha256])
    return { text: bytes.toString(), file: exported.parse(JSON.parse(bytes.toString())) }
  }

  it('is uploaded, handed over, and downloaded by its buyer, byte for byte', async () => {
    const work = await working()
    const urn = await keep(work)
    expect((await readAs(buyer, urn)).download).to.equal(null)
    expect((await notice(work, urn)).status).to.equal(201)
    const record = await readAs(buyer, urn)
    expect(record).to.deep.include({ output_hash: HASH, size_bytes: WORK.length, filename: 'verse.txt' })
    expect(record.message_urn).to.deep.include({ prefix: 'message' })
    const answer = await fetchLink(await linkOf(buyer, urn))
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
    const head = await fetchLink(await linkOf(seller, urn), 'HEAD')
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

  it('whose bytes are not what was said is not kept', () =>
    leavesNothing(async () => {
      expectProblem(await upload('Forty-one lines.'), 422, 'deliveries/wrong-hash', 'output_hash')
      expectProblem(await upload(''), 422, 'deliveries/wrong-hash', 'output_hash')
    }))

  it('that is too large is not kept, whether it says so or not', () =>
    leavesNothing(async () => {
      const large = Buffer.alloc(LIMIT + 1)
      expectProblem(await upload(large, { output_hash: sha256Hex(large) }), 413, 'request/too-large')
      const chunks = ReadableStream.from(Array.from({ length: 11 }, () => new Uint8Array(LIMIT / 10)))
      expectProblem(await upload(chunks), 413, 'request/too-large')
    }))

  it('of exactly the largest size is kept', async () => {
    const largest = Buffer.alloc(LIMIT, 'a')
    expect((await upload(largest, { output_hash: sha256Hex(largest) })).status).to.equal(201)
  })

  it('that breaks off leaves nothing, neither of its bytes nor of itself', () =>
    leavesNothing(async () => {
      uploaded = Promise.withResolvers()
      const socket = connect(Number(new URL(market.api.baseUrl).port), '127.0.0.1')
      const head = [`POST /v1/deliveries?${query()} HTTP/1.1`, 'Host: market', `Authorization: Bearer ${seller.token}`]
      const more = ['Market-Version: 2026-05-17', `Content-Length: ${WORK.length}`, '', '']
      socket.write([...head, ...more].join('\r\n'))
      socket.write(WORK.subarray(0, -1))
      await once(socket, 'connect')
      socket.end()
      await uploaded.promise
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
    const upload = slow(`/v1/deliveries?${query()}`)
    expectProblem(await slow('/v1/asks'), 408, 'request/timeout')
    rest.resolve()
    expect((await upload).status).to.equal(201)
    await hasty.stop()
  })

  it('that arrives compressed is refused: its hash would be of something else', () =>
    leavesNothing(async () => {
      const reply = await upload(WORK, {}, seller, { 'content-encoding': 'gzip' })
      expectProblem(reply, 415, 'request/unsupported-media-type')
    }))

  it("is the seller's to upload, while the order takes one, and twenty times", async () => {
    const reader = await newTrader(market, { owner: seller, scopes: ['read'], wallet: 'unbound' })
    const unpaid = await placed(buyer, seller, 'custodied')
    const full = await working()
    const row = () => ({ id: randomUUID(), order_id: full.id, sha256: HASH, size_bytes: 1n })
    await market.api.db
      .insertInto('market.deliveries')
      .values(Array.from({ length: 20 }, row))
      .execute()
    await leavesNothing(async () => {
      expectProblem(await upload(WORK, {}, buyer), 403, 'auth/forbidden')
      expectProblem(await upload(WORK, {}, stranger), 404, 'resource/not-found')
      expectProblem(await upload(WORK, { order_urn: urnString('order', randomUUID()) }), 404, 'resource/not-found')
      expectProblem(await upload(WORK, {}, reader), 403, 'auth/scope-insufficient')
      expectProblem(await upload(WORK, { order_urn: unpaid.urn }), 409, 'orders/state-conflict')
      expectProblem(await upload(WORK, { order_urn: full.urn }), 409, 'deliveries/too-many')
    })
  })

  it('sent twice under one key is one', async () => {
    const work = await working()
    const key = { 'idempotency-key': randomUUID() }
    const first = await upload(WORK, { order_urn: work.urn }, seller, key)
    const second = await upload(WORK, { order_urn: work.urn }, seller, key)
    expect(second.body).to.deep.equal(first.body)
    const rows = await market.api.db
      .selectFrom('market.deliveries')
      .selectAll()
      .where('order_id', '=', work.id)
      .execute()
    expect(rows).to.have.length(1)
  })

  it('is handed over for its own order, once, and by its own hash', async () => {
    const [one, other] = [await working(), await working()]
    const urn = await keep(one)
    const before = await everything(market)
    const field = 'payload.delivery_urn'
    expectProblem(await notice(other, urn), 422, 'messages/invalid-payload', field)
    expectProblem(await notice(one, urnString('delivery', randomUUID())), 422, 'messages/invalid-payload', field)
    expectProblem(await notice(one, urn, sha256Hex('x')), 422, 'messages/invalid-payload', 'payload.output_hash')
    expect(await everything(market)).to.deep.equal(before)
    expect((await notice(one, urn)).status).to.equal(201)
    const path = `/v1/receipts/market:receipt:${(await orderOf(one)).receipt_id}/sign`
    const body = { accept: false }
    await market.api.send('POST', path, { token: buyer.token, body, headers: { 'market-version': '2026-05-05' } })
    expectProblem(await notice(one, urn), 422, 'messages/invalid-payload', field)
  })
  const orderOf = ({ id }: PlacedOrder) =>
    market.api.db.selectFrom('market.orders').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

  it('cannot be named so that it lands, or is shown, somewhere else', async () => {
    for (const filename of ['../../etc/passwd', 'a/b', '..\\b', 'a\nb', 'a\u202eb', '']) {
      await leavesNothing(async () =>
        expectProblem(await upload(WORK, { filename }), 400, 'request/invalid', 'filename'),
      )
    }
    for (const name of ['../../etc/passwd', '%2e%2e%2f%2e%2e%2fetc%2fpasswd', 'market:delivery:../../x']) {
      const path = `/v1/deliveries/${encodeURIComponent(name)}`
      expectProblem(await market.api.send('GET', path, { token: seller.token }), 404, 'resource/not-found')
    }
    const urn = await keep(order, '"Vers"; (1)*\u00e9\u4e2d.txt')
    const answer = await fetchLink(await linkOf(seller, urn))
    expect(answer.headers.get('content-disposition')).to.equal(
      "attachment; filename*=UTF-8''%22Vers%22%3B%20%281%29%2A%C3%A9%E4%B8%AD.txt",
    )
    expect((await files()).every((name) => /^[0-9a-f-]{36}$/.test(name))).to.equal(true)
  })

  it('is closed to strangers, and so is every link that was not given out', async () => {
    const urn = await keep(order)
    const path = `/v1/deliveries/${urn}`
    expectProblem(await market.api.send('GET', path, { token: stranger.token }), 404, 'resource/not-found')
    const link = await linkOf(seller, urn)
    const another = await keep(order)
    await refusedLink(link.replace(urn, another), 404, 'resource/not-found')
    await refusedLink(link.replace(seller.agentId, stranger.agentId), 404, 'resource/not-found')
    await refusedLink(link.replace(/expires=\d+/, 'expires=99999999999'), 404, 'resource/not-found')
    await refusedLink(link.replace(/signature=.*/, `signature=${'A'.repeat(43)}`), 404, 'resource/not-found')
    await refusedLink(link.replace(/&signature=.*/, ''), 400, 'request/invalid', 'signature')
  })

  it('has links that end, and that end for who is no party any more', async () => {
    const work = await working()
    const urn = await keep(work)
    await notice(work, urn)
    const link = await linkOf(buyer, urn)
    const asBuyer = (id: string) =>
      market.api.db.updateTable('market.orders').set({ buyer_id: id }).where('id', '=', work.id).execute()
    await asBuyer(stranger.agentId)
    await refusedLink(link, 404, 'resource/not-found')
    await asBuyer(buyer.agentId)
    await passTime(market.api, 290)
    expect((await fetchLink(link)).status).to.equal(200)
    await passTime(market.api, 10)
    await refusedLink(link, 403, 'deliveries/link-expired')
  })

  it('is in the export of who uploaded it, byte for byte, and leaves the store with its owner', async () => {
    const { db, send } = market.api
    const author = await newTrader(market)
    const work = await funded(market, await placed(buyer, author, 'custodied'))
    // Of lengths that base64 fills up and that it does not, and one of several reads of the file system.
    const contents = [WORK, Buffer.from(''), Buffer.from('ab'), randomBytes(LIMIT - 1)]
    const before = await files()
    for (const bytes of contents)
      expect((await upload(bytes, { order_urn: work.urn, output_hash: sha256Hex(bytes) }, author)).status).to.equal(201)
    const { deliveries } = (await exportOf(author)).file
    const kept = deliveries.map(({ sha256, content_base64 }) => [sha256, Buffer.from(content_base64, 'base64')])
    expect(kept).to.deep.equal(contents.map((bytes) => [sha256Hex(bytes), bytes]))

    const services = jobServices()
    await removeBlobs(services)
    expect(await files()).to.have.length(before.length + contents.length)
    await sql`update market.holds set status = 'released' where order_id = ${work.id}`.execute(db)
    await sql`update market.orders set state = 'final', closed_at = market.now() where id = ${work.id}`.execute(db)
    expect((await send('POST', '/v1/me/erase', { token: author.humanToken })).status).to.equal(200)
    await removeBlobs(services)
    expect(await files()).to.have.members(before)
    expect(await db.selectFrom('market.blob_removals').selectAll().execute()).to.deep.equal([])
  })

  it('is in the export of whom it was handed over to, with what the two have said, and nothing of who is behind the other', async () => {
    const reader = await newTrader(market)
    const work = await funded(market, await placed(reader, seller, 'custodied'))
    const [urn] = [await keep(work), await keep(work, 'draft.txt')]
    const say = async (by: Trader, body: string) =>
      by.client.call(postMessage, { body: { thread_urn: await threadOf(work), kind: 'text', body } })
    await say(reader, 'How far is it?')
    await say(seller, 'Nearly there.')
    await notice(work, urn)
    const { file, text } = await exportOf(reader)
    expect(file.deliveries.map(({ urn, content_base64 }) => [urn, content_base64])).to.deep.equal([
      [urn, WORK.toString('base64')],
    ])
    const [own, other] = [reader, seller].map(({ agentId }) => urnString('agent', agentId))
    expect(file.messages.map(({ sender_urn, kind, body }) => [sender_urn, kind, body])).to.deep.equal([
      [own, 'text', 'How far is it?'],
      [other, 'text', 'Nearly there.'],
      [other, 'delivery_notice', null],
    ])
    const behind = await market.api.db
      .selectFrom('market.humans')
      .select(['id', 'email'])
      .where('id', '=', seller.humanId)
      .executeTakeFirstOrThrow()
    for (const word of [behind.id, behind.email, seller.wallet.address, seller.wallet.address.toLowerCase()])
      expect(text).not.to.include(word)
  })

  it('that never became one is swept out of the store, and no other', async () => {
    const { blobDirectory: directory } = market.api.settings
    const kept = await files()
    const old = new Date(Date.now() - 2 * 3_600_000)
    const put = async (folder: string, name: string, time: Date) => {
      await mkdir(join(directory, folder), { recursive: true })
      await writeFile(join(directory, folder, name), 'x')
      await utimes(join(directory, folder, name), time, time)
    }
    for (const entry of await readdir(directory, { recursive: true })) await utimes(join(directory, entry), old, old)
    const [orphan, half, young] = [randomUUID(), randomUUID(), randomUUID()]
    await put(orphan.slice(-2), orphan, old)
    await put('incoming', half, old)
    await put(young.slice(-2), young, new Date())
    const { db, settings } = market.api
    await sweepBlobs({ db, settings, rpc: {} as PublicClient, log: pino({ level: 'silent' }) })
    expect(await files()).to.have.members([...kept, young])
  })
})
