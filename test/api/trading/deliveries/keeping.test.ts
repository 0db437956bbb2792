import { randomBytes, randomUUID } from 'node:crypto'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { pino } from 'pino'
import type { PublicClient } from 'viem'
import { z } from 'zod'
import { buildExports } from '../../../../api/identity/exports/jobs.ts'
import { exportSections } from '../../../../api/modules.ts'
import { removeBlobs } from '../../../../api/platform/blobs/removeBlobs.ts'
import { sweepBlobs } from '../../../../api/trading/deliveries/sweepBlobs.ts'
import { sha256Hex } from '../../../../protocol/encoding/canonical.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { erase } from '../../../kit/api/identity/erasure.ts'
import { type Deliveries, LIMIT, startDeliveries, WORK } from '../../../kit/api/trading/deliveries/deliveries.ts'
import { funded, newTrader, placed, type TestMarket, type Trader, threadOf } from '../../../kit/api/trading.ts'

const exported = z.object({
  deliveries: z.array(z.object({ urn: z.string(), sha256: z.string(), content_base64: z.string() })),
  messages: z.array(z.object({ sender_urn: z.string(), kind: z.string(), body: z.string().nullable() })),
})

describe('a delivery that is kept', () => {
  let desk: Deliveries
  let market: TestMarket
  let buyer: Trader
  let seller: Trader

  before(async () => {
    desk = await startDeliveries()
    ;({ market, buyer, seller } = desk)
  })

  after(() => desk?.stop())

  const jobServices = () => {
    const { db, settings } = market.api
    return { db, settings, rpc: {} as PublicClient, log: pino({ level: 'silent' }) }
  }
  /** Everything a trader's human has, as they are given it: it is as long and has the hash that was said. */
  const exportOf = async ({ humanToken: token }: Trader) => {
    const { body } = await market.api.send('POST', '/v1/me/exports', { token })
    await buildExports(jobServices(), exportSections)
    const path = `/v1/me/exports/${urnString('export', body.urn.body)}`
    const { body: made } = await market.api.send('GET', path, { token })
    const link = await fetch(`${market.api.baseUrl}${path}/download`, { headers: { authorization: `Bearer ${token}` } })
    const bytes = Buffer.from(await link.arrayBuffer())
    expect([bytes.length, sha256Hex(bytes)]).to.deep.equal([made.size_bytes, made.sha256])
    return { text: bytes.toString(), file: exported.parse(JSON.parse(bytes.toString())) }
  }

  it('is in the export of who uploaded it, byte for byte, and leaves the store with its owner', async () => {
    const { db } = market.api
    const author = await newTrader(market)
    const work = await funded(market, await placed(buyer, author, 'custodied'))
    // Of lengths that base64 fills up and that it does not, and one of several reads of the file system.
    const contents = [WORK, Buffer.from('a'), Buffer.from('ab'), randomBytes(LIMIT - 1)]
    const before = await desk.files()
    for (const bytes of contents)
      expect(
        (await desk.upload(bytes, { order_urn: work.urn, output_hash: sha256Hex(bytes) }, author)).status,
      ).to.equal(201)
    const { deliveries } = (await exportOf(author)).file
    const kept = deliveries.map(({ sha256, content_base64 }) => [sha256, Buffer.from(content_base64, 'base64')])
    expect(kept).to.deep.equal(contents.map((bytes) => [sha256Hex(bytes), bytes]))

    const services = jobServices()
    await removeBlobs(services)
    expect(await desk.files()).to.have.length(before.length + contents.length)
    await sql`update market.holds set status = 'released' where order_id = ${work.id}`.execute(db)
    await sql`update market.orders set state = 'final', closed_at = market.now() where id = ${work.id}`.execute(db)
    expect((await erase(market.api, author.humanToken)).status).to.equal(202)
    await removeBlobs(services)
    expect(await desk.files()).to.have.members(before)
    expect(await db.selectFrom('market.blob_removals').selectAll().execute()).to.deep.equal([])
  })

  it('is in the export of whom it was handed over to, with what the two have said, and nothing of who is behind the other', async () => {
    const reader = await newTrader(market)
    const work = await funded(market, await placed(reader, seller, 'custodied'))
    const [urn] = [await desk.keep(work), await desk.keep(work, 'draft.txt')]
    const say = async (by: Trader, body: string) =>
      by.client.call('postMessage', { body: { thread_urn: await threadOf(work), kind: 'text', body } })
    await say(reader, 'How far is it?')
    await say(seller, 'Nearly there.')
    await desk.notice(work, urn)
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
    const kept = await desk.files()
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
    await sweepBlobs(jobServices())
    expect(await desk.files()).to.have.members([...kept, young])
  })
})
