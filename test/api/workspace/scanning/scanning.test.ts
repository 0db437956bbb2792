import { after, before, beforeEach, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { sql } from 'kysely'
import { blobsOf } from '../../../../api/platform/blobs/open.ts'
import { removeBlobs } from '../../../../api/platform/blobs/removeBlobs.ts'
import { inTransaction } from '../../../../api/platform/db/transaction.ts'
import { purgeTrash } from '../../../../api/workspace/attachments/purge.ts'
import { recordScan } from '../../../../api/workspace/scanning/internal/record.ts'
import { scanFiles } from '../../../../api/workspace/scanning/scan.ts'
import { webhooksOf } from '../../../kit/api/platform/webhooks/world.ts'
import { passTime } from '../../../kit/api/trading.ts'
import {
  EICAR,
  hasClamd,
  startClamd,
  startFakeScanner,
  type TestScanner,
  type Verdict,
} from '../../../kit/api/workspace/clamd.ts'
import { expectCode, startWorkspace, type TestAttachment, type Workspace } from '../../../kit/api/workspace/world.ts'
import { until } from '../../../kit/until.ts'

const FOUND = { reply: 'stream: Eicar-Test-Signature FOUND' }
const OK = { reply: 'stream: OK' }

describe('the virus scan', () => {
  let world: Workspace
  let scanner: TestScanner
  let verdict: Verdict
  let files = 0

  before(async () => {
    world = await startWorkspace()
    scanner = await startFakeScanner(() => verdict)
  })
  after(async () => {
    await scanner?.stop()
    await world?.stop()
  })
  beforeEach(() => {
    verdict = (bytes) => (bytes.includes(EICAR) ? FOUND : OK)
    world.api.settings.scanner = { path: scanner.path }
  })

  const scan = () => scanFiles(webhooksOf(world.api).services)
  /** Of bytes that no other file has. */
  const attach = (content = '') => world.attach(world.page, `${++files}${content}`, 'file.bin')
  const download = ({ id }: TestAttachment) => world.call('GET', `/attachments/${id}/download`)
  const stateOf = async ({ id }: TestAttachment) => (await world.call('GET', `/attachments/${id}`)).body.scan_state
  const fileOf = ({ sha256 }: TestAttachment) => {
    const same = world.api.db.selectFrom('market.files').selectAll().where('sha256', '=', sha256)
    return same.orderBy('id').executeTakeFirstOrThrow()
  }
  const operate = (method: string, path: string) =>
    world.api.send(method, `/quarantine${path}`, {
      ...{ token: world.api.first.operator_token, headers: { 'market-version': undefined } },
    })
  const follow = async (attachment: TestAttachment) => {
    const link = String((await download(attachment)).headers.get('location'))
    return link.replace(world.api.settings.baseUrl, world.api.baseUrl)
  }

  it('lets through what is clean, once it was seen', async () => {
    const clean = await attach()
    const early = await download(clean)
    expectCode(early, 403, 'workspace/attachment-quarantined', 'attachment_quarantined')
    expect(early.headers.get('retry-after')).to.equal('5')
    await scan()
    expect([await stateOf(clean), (await download(clean)).status]).to.deep.equal(['clean', 302])
    const seen = scanner.scans()
    await scan()
    expect(scanner.scans()).to.equal(seen)
  })

  it('keeps what is infected from everybody, by new links and by old ones, as a version and from the trash [spec w7:3 attacks:13]', async () => {
    world.api.settings.scanner = undefined
    const infected = await attach(EICAR)
    const link = await follow(infected)
    expect((await fetch(link)).status).to.equal(200)
    world.api.settings.scanner = { path: scanner.path }
    await scan()
    expect(await stateOf(infected)).to.equal('infected')
    const response = await fetch(link)
    expect([response.status, ((await response.json()) as { code: string }).code]).to.deep.equal([
      ...[403, 'attachment_quarantined'],
    ])
    for (const path of ['/download', '/preview', '/versions/1/download']) {
      const reply = await world.call('GET', `/attachments/${infected.id}${path}`)
      expectCode(reply, 403, 'workspace/attachment-quarantined', 'attachment_quarantined')
    }
    await world.call('DELETE', `/attachments/${infected.id}`)
    await world.call('POST', `/attachments/${infected.id}/restore`)
    expect((await download(infected)).status).to.equal(403)
    // The same bytes again, under another name.
    const again = await world.attach(world.page, `${files}${EICAR}`, 'innocent.bin')
    expect((await download(again)).status).to.equal(403)
  })

  it('tells the author and the managers of the org, and whoever follows its events', async () => {
    const infected = await attach(EICAR)
    await scan()
    const { items } = (await world.call('GET', '/notifications')).body as unknown as { items: object[] }
    expect(items[0]).to.include({ kind: 'attachment.quarantined', entity_id: infected.id, actor: null })
    const { rows } = await sql<{ data: object }>`select payload->'data' as data from market.events
      where event_type = 'attachment.updated' and payload->>'entity_id' = ${infected.id}`.execute(world.api.db)
    expect(rows).to.deep.equal([{ data: { scan_state: 'infected' } }])
  })

  it('tells nobody of an infected version that another one has replaced', async () => {
    const replaced = await attach(EICAR)
    await world.api.send('PUT', `/orgs/${world.slug}/attachments/${replaced.id}/content`, {
      ...{ token: world.ada.token, raw: `${++files} harmless` },
      headers: { 'content-type': 'application/octet-stream', 'market-version': undefined },
    })
    await scan()
    expect([(await fileOf(replaced)).scan_state, await stateOf(replaced)]).to.deep.equal(['infected', 'clean'])
    const { items } = (await world.call('GET', '/notifications')).body as unknown as { items: { entity_id: string }[] }
    expect(items.map(({ entity_id }) => entity_id)).to.not.include(replaced.id)
    const { rows } = await sql`select from market.events
      where payload->>'entity_id' = ${replaced.id} and payload->'data' ? 'scan_state'`.execute(world.api.db)
    expect(rows).to.deep.equal([])
  })

  it('is overruled by an operator, who sees no name', async () => {
    const infected = await attach(EICAR)
    await scan()
    const { id } = await fileOf(infected)
    const [first] = (await operate('GET', '')).body.items as object[]
    expect(first).to.include({ id, org: world.slug, signature: 'Eicar-Test-Signature', scan_state: 'infected' })
    expect(JSON.stringify(first)).to.not.include('file.bin')
    expect((await operate('POST', `/${id}/release`)).body).to.include({ scan_state: 'released' })
    expect([await stateOf(infected), (await download(infected)).status]).to.deep.equal(['released', 302])
    expectCode(await operate('POST', `/${id}/release`), 409, 'workspace/not-infected', 'not_infected')
    await scan()
    expect(await stateOf(infected)).to.equal('released')
  })

  it('is made again when an operator says so', async () => {
    const file = await attach(EICAR)
    await scan()
    const { id } = await fileOf(file)
    verdict = () => OK
    expect((await operate('POST', `/${id}/rescan`)).body).to.include({ scan_state: 'unscanned', signature: null })
    expect((await download(file)).status).to.equal(403)
    await scan()
    expect([await stateOf(file), (await download(file)).status]).to.deep.equal(['clean', 302])
    const nothing = '01890000-0000-7000-8000-000000000000'
    expect((await operate('POST', `/${nothing}/rescan`)).status).to.equal(404)
  })

  it('ends with the bytes deleted by an operator, of which the versions alone stay', async () => {
    const infected = await attach(EICAR)
    const used = await world.usedBytes()
    await scan()
    const { id } = await fileOf(infected)
    const { db } = world.api
    await sql`insert into market.previews (id, file_id, size, size_bytes) values (gen_random_uuid(), ${id}, 256, 1)`.execute(
      db,
    )
    await sql`insert into market.file_texts (file_id, org_id, first_character, characters, text)
      select id, org_id, 0, 5, 'Words' from market.files where id = ${id}`.execute(db)
    expect((await operate('DELETE', `/${id}`)).body).to.include({ id, scan_state: 'deleted' })
    await removeBlobs(webhooksOf(world.api).services)
    const { settings } = world.api
    expect(await blobsOf(settings).sizeOf(id)).to.equal(undefined)
    expect(await world.usedBytes()).to.equal(used - infected.size_bytes)
    for (const table of ['market.previews', 'market.file_texts'])
      expect((await sql`select from ${sql.table(table)} where file_id = ${id}`.execute(db)).rows, table).to.be.empty
    expect((await world.call('GET', `/attachments/${infected.id}`)).body).to.include({
      ...{ state: 'active', scan_state: 'deleted', sha256: infected.sha256 },
      ...{ text_state: 'unsupported', preview_state: 'unsupported' },
    })
    for (const path of ['/download', '/preview', '/versions/1/download']) {
      const reply = await world.call('GET', `/attachments/${infected.id}${path}`)
      expectCode(reply, 403, 'workspace/attachment-quarantined', 'attachment_quarantined')
    }
    const back = await world.call('POST', `/attachments/${infected.id}/versions/1/restore`)
    expectCode(back, 403, 'workspace/attachment-quarantined', 'attachment_quarantined')
    for (const [method, path] of [
      ['DELETE', ''],
      ['POST', '/release'],
      ['POST', '/rescan'],
    ] as const)
      expectCode(await operate(method, `/${id}${path}`), 409, 'workspace/not-infected', 'not_infected')
    const { rows } = await sql`select payload->'data' as data from market.events
      where event_type = 'attachment.updated' and payload->>'entity_id' = ${infected.id} order by id`.execute(
      world.api.db,
    )
    expect(rows).to.deep.equal([{ data: { scan_state: 'infected' } }, { data: { scan_state: 'deleted' } }])
    const { details } = await world.api.db
      .selectFrom('market.audit_log')
      .select('details')
      .where('action', '=', 'file.delete')
      .executeTakeFirstOrThrow()
    expect(details).to.deep.equal({ file_id: id })
  })

  it('sees the same bytes anew after they were deleted, and gives back their room once', async () => {
    const first = await attach(EICAR)
    await scan()
    await operate('DELETE', `/${(await fileOf(first)).id}`)
    const used = await world.usedBytes()
    const again = await world.attach(world.page, `${files}${EICAR}`, 'again.bin')
    await scan()
    expect([again.sha256, await stateOf(again), await stateOf(first)]).to.deep.equal([
      ...[first.sha256, 'infected', 'deleted'],
    ])
    for (const { id } of [first, again]) await world.call('DELETE', `/attachments/${id}`)
    await passTime(world.api, (world.api.settings.rules.trashDays + 1) * 86_400)
    await purgeTrash(webhooksOf(world.api).services)
    expect((await world.call('GET', `/attachments/${first.id}`)).status).to.equal(404)
    expect(await world.usedBytes()).to.equal(used)
  })

  it('says so of what it cannot scan whole, which is served', async () => {
    for (const reply of [
      'stream: Heuristics.Limits.Exceeded.MaxScanSize FOUND',
      'INSTREAM size limit exceeded. ERROR',
    ]) {
      const large = await attach()
      verdict = () => ({ reply })
      await scan()
      expect([await stateOf(large), (await download(large)).status]).to.deep.equal(['unscannable', 302])
    }
    // A scanner that has had enough answers and goes away while there is more to come.
    const huge = await attach('.'.repeat(8_000_000))
    verdict = () => ({ reply: 'INSTREAM size limit exceeded. ERROR', early: true })
    await scan()
    expect(await stateOf(huge)).to.equal('unscannable')
  })

  it('waits while the scanner is away, and hands out nothing', async () => {
    const file = await attach()
    world.api.settings.scanner = { path: `${scanner.path}.none` }
    for (let time = 0; time < 5; time++) await scan().catch(() => {})
    expect([await stateOf(file), (await download(file)).status]).to.deep.equal(['unscanned', 403])
    expect((await fileOf(file)).scans).to.equal(0)
    world.api.settings.scanner = { path: scanner.path }
    await scan()
    expect(await stateOf(file)).to.equal('clean')
  })

  it('gives up a file that ends the scanner, after three scans, and goes on with others [risk API10]', async () => {
    const deadly = await attach('deadly')
    const harmless = await attach('harmless')
    verdict = (bytes) => (bytes.includes('deadly') ? {} : OK)
    for (let time = 0; time < 4; time++) await scan()
    expect([await stateOf(deadly), await stateOf(harmless)]).to.deep.equal(['unscannable', 'clean'])
  })

  it('is what the scanner says, also when another worker gave it up while three were scanning', async () => {
    const infected = await attach(EICAR)
    const { promise: after, resolve: answer } = Promise.withResolvers<void>()
    verdict = () => ({ ...FOUND, after })
    const scanning = [scan(), scan(), scan()]
    await until('three workers scan', async () => (await fileOf(infected)).scans === 3)
    await scan()
    expect(await stateOf(infected)).to.equal('unscannable')
    answer()
    await Promise.all(scanning)
    expect([await stateOf(infected), (await download(infected)).status]).to.deep.equal(['infected', 403])
  })

  it('changes nothing where another scan or an operator was first', async () => {
    const { id } = await fileOf(await attach())
    const { db } = world.api
    const file = db.selectFrom('market.files').select('scan_state').where('id', '=', id)
    for (const scan_state of ['clean', 'infected', 'unscannable', 'released', 'deleted'] as const)
      for (const state of ['clean', 'infected', 'unscannable'] as const) {
        // A file that was given up takes a result that comes after all.
        if (scan_state === 'unscannable' && state !== 'unscannable') continue
        await db.updateTable('market.files').set({ scan_state, scans: 1 }).where('id', '=', id).execute()
        await inTransaction(db, 'read write', (tx) => recordScan(tx, id, { state, signature: null }))
        expect((await file.executeTakeFirstOrThrow()).scan_state, `${state} after it`).to.equal(scan_state)
      }
  })

  it('is left out without a scanner', async () => {
    world.api.settings.scanner = undefined
    const file = await attach(EICAR)
    const seen = scanner.scans()
    await scan()
    expect([await stateOf(file), (await download(file)).status, scanner.scans()]).to.deep.equal([
      'unscanned',
      302,
      seen,
    ])
  })

  it('is made by a real clamd', { skip: hasClamd ? false : 'clamd is not installed' }, async () => {
    const clamd = await startClamd()
    try {
      world.api.settings.scanner = { path: clamd.path }
      const clean = await attach('Forty-two lines of verse.')
      const raw = await world.attach(world.page, EICAR, 'raw.bin')
      const packed = await world.attach(world.page, gzipSync(EICAR) as Buffer<ArrayBuffer>, 'packed.gz')
      const bomb = await world.attach(world.page, gzipSync(Buffer.alloc(60_000_000)) as Buffer<ArrayBuffer>, 'bomb.gz')
      await scan()
      const states = [await stateOf(clean), await stateOf(raw), await stateOf(packed), await stateOf(bomb)]
      expect(states).to.deep.equal(['clean', 'infected', 'infected', 'unscannable'])
    } finally {
      await clamd.stop()
    }
  })
})
