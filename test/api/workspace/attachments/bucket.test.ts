import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { pino } from 'pino'
import { openRpc } from '../../../../api/payments/chain/nodes.ts'
import { partialsOf } from '../../../../api/platform/blobs/open.ts'
import { removeBlobs } from '../../../../api/platform/blobs/removeBlobs.ts'
import { sweepBlobs } from '../../../../api/trading/deliveries/sweepBlobs.ts'
import { hashFiles } from '../../../../api/workspace/attachments/hash.ts'
import { purgeTrash } from '../../../../api/workspace/attachments/purge.ts'
import { processFiles } from '../../../../api/workspace/processing/process.ts'
import { expireUploads } from '../../../../api/workspace/uploads/expire.ts'
import { sha256Hex } from '../../../../protocol/encoding/canonical.ts'
import { type S3Server, startS3 } from '../../../kit/api/platform/blobs/s3Server.ts'
import { passTime } from '../../../kit/api/trading.ts'
import { append, begin, offsetOf, tus } from '../../../kit/api/workspace/tus.ts'
import { startWorkspace, type Workspace } from '../../../kit/api/workspace/world.ts'

const MEGABYTE = 1_048_576

describe('files of a workspace in a bucket', () => {
  let world: Workspace
  let s3: S3Server
  before(async () => {
    s3 = await startS3()
    world = await startWorkspace()
    world.api.settings.s3 = s3.settings
  })
  after(async () => {
    await world?.stop()
    s3?.stop()
  })

  const services = () => ({
    ...{ db: world.api.db, rpc: openRpc('http://127.0.0.1:9'), settings: world.api.settings },
    log: pino({ level: 'silent' }),
  })
  const download = async (ref: string, range?: string) => {
    const reply = await world.call('GET', `/attachments/${ref}/download`)
    const link = String(reply.headers.get('location')).replace(world.api.settings.baseUrl, world.api.baseUrl)
    const response = await fetch(link, { headers: range ? { range } : {} })
    return { status: response.status, text: await response.text() }
  }

  it('are attached, read, served in part and removed as from a directory [risk blob-store]', async () => {
    const { id } = await world.attach(world.page, 'Forty-two lines.')
    expect([s3.objects.size, await world.storedFiles().catch(() => 0)]).to.deep.equal([1, 0])
    expect(await download(id)).to.deep.equal({ status: 200, text: 'Forty-two lines.' })
    expect(await download(id, 'bytes=6-8')).to.deep.equal({ status: 206, text: 'two' })
    await processFiles(services())
    expect((await world.call('GET', `/attachments/${id}/text`)).body).to.include({
      ...{ state: 'ready', text: 'Forty-two lines.' },
    })
    await sweepBlobs(services())
    expect(s3.objects.size).to.equal(1)
    await world.call('DELETE', `/attachments/${id}`)
    await sql`update market.attachments set purge_at = market.now() where id = ${id}`.execute(world.api.db)
    await purgeTrash(services())
    await removeBlobs(services())
    expect([s3.objects.size, await world.usedBytes()]).to.deep.equal([0, 0])
  })

  it('arrive in parts that any process goes on with, without a disk, and are whole once the bucket has the last', async () => {
    const bytes = randomBytes(21 * MEGABYTE)
    const path = await begin(world, bytes.length)
    const id = path.slice('/uploads/'.length)
    const send = (from: number, to: number) => append(world, path, from, Buffer.from(bytes.subarray(from, to)))
    expect((await send(0, 9 * MEGABYTE)).headers.get('upload-offset')).to.equal(String(9 * MEGABYTE))
    // A request without bytes keeps those that are too few for a part.
    expect((await send(9 * MEGABYTE, 9 * MEGABYTE)).headers.get('upload-offset')).to.equal(String(9 * MEGABYTE))
    // As another process does, of which this one knows nothing.
    const elsewhere = { offset: 9 * MEGABYTE, lengthBytes: bytes.length, isWhole: false, confirm: () => {} }
    const partials = partialsOf(world.api.settings)
    await partials.append(id, elsewhere, piecesOf(bytes.subarray(9 * MEGABYTE, 18 * MEGABYTE)))
    // One that has not seen it adds nothing.
    const late = partials.append(id, elsewhere, piecesOf(bytes.subarray(9 * MEGABYTE, 10 * MEGABYTE)))
    expect(await late.catch(({ message }: Error) => message)).to.equal('another process has gone on with this upload')
    // The sweep leaves what is under way.
    for (const object of s3.objects.values()) object.modified = new Date(0)
    for (const upload of s3.uploads.values()) upload.begun = new Date(0)
    await sweepBlobs(services())
    expect(s3.uploads.size).to.equal(1)
    const wrong = await tus(world, 'PATCH', path, {
      bytes: Buffer.alloc(3 * MEGABYTE),
      headers: { 'upload-offset': String(18 * MEGABYTE), 'upload-checksum': 'sha1 AAAAAAAAAAAAAAAAAAAAAAAAAAA=' },
    })
    expect(wrong.status).to.equal(460)
    s3.cutBodies(true)
    expect((await send(18 * MEGABYTE, bytes.length)).status).to.equal(503)
    s3.cutBodies(false)
    expect(await offsetOf(world, path)).to.equal(18 * MEGABYTE)
    const { status, headers } = await send(18 * MEGABYTE, bytes.length)
    expect([status, headers.get('upload-offset')]).to.deep.equal([204, String(bytes.length)])
    const ref = headers.get('workspace-attachment')
    expect((await world.call('GET', `/attachments/${ref}`)).body).to.include({ state: 'hashing' })
    await hashFiles(services())
    expect((await world.call('GET', `/attachments/${ref}`)).body).to.include({ sha256: sha256Hex(bytes) })
    expect([s3.objects.size, s3.uploads.size, await world.storedFiles().catch(() => 0)]).to.deep.equal([1, 0, 0])
    expect((await world.call('GET', '/usage')).body).to.include({ used_bytes: bytes.length, reserved_bytes: 0 })
  })

  it('leave nothing in the bucket where their upload is given up, or its time is over', async () => {
    const [kept] = [s3.objects.size]
    for (const end of ['given up', 'over'] as const) {
      const path = await begin(world, 20 * MEGABYTE)
      await append(world, path, 0, Buffer.alloc(9 * MEGABYTE))
      expect([s3.objects.size > kept, s3.uploads.size]).to.deep.equal([true, 1])
      if (end === 'given up') expect((await tus(world, 'DELETE', path)).status).to.equal(204)
      else await passTime(world.api, world.api.settings.rules.uploadSeconds + 1)
      await expireUploads(services())
      await removeBlobs(services())
      expect([s3.objects.size, s3.uploads.size], end).to.deep.equal([kept, 0])
    }
  })
})

async function* piecesOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += MEGABYTE) yield bytes.subarray(at, at + MEGABYTE)
}
