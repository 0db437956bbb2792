import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { pino } from 'pino'
import { openRpc } from '../../../api/payments/chain/nodes.ts'
import { removeBlobs } from '../../../api/platform/blobs/removeBlobs.ts'
import { sweepBlobs } from '../../../api/trading/deliveries/sweepBlobs.ts'
import { purgeTrash } from '../../../api/workspace/attachments/purge.ts'
import { processFiles } from '../../../api/workspace/processing/process.ts'
import { sha256Hex } from '../../../protocol/encoding/canonical.ts'
import { type S3Server, startS3 } from '../../kit/api/platform/blobs/s3Server.ts'
import { append, begin, tus } from '../../kit/api/workspace/tus.ts'
import { startWorkspace, type Workspace } from '../../kit/api/workspace/world.ts'

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

  it('are attached, read, served in part and removed as from a directory', async () => {
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

  it('arrive in parts, and are moved there once the bucket takes them', async () => {
    const bytes = randomBytes(200_000)
    const path = await begin(world, bytes.length)
    expect((await append(world, path, 0, bytes.subarray(0, 150_000))).headers.get('upload-offset')).to.equal('150000')
    expect([s3.objects.size, await world.storedFiles()]).to.deep.equal([0, 1])
    s3.cutBodies(true)
    expect((await append(world, path, 150_000, bytes.subarray(150_000))).status).to.equal(503)
    expect([s3.objects.size, await world.storedFiles()]).to.deep.equal([0, 1])
    s3.cutBodies(false)
    // The next request finds it whole.
    const { status, headers } = await tus(world, 'HEAD', path)
    expect([status, headers.get('upload-offset')]).to.deep.equal([200, '200000'])
    const ref = headers.get('workspace-attachment')
    expect((await world.call('GET', `/attachments/${ref}`)).body).to.include({ sha256: sha256Hex(bytes) })
    expect([s3.objects.size, await world.storedFiles()]).to.deep.equal([1, 0])
    expect((await world.call('GET', '/usage')).body).to.include({ used_bytes: 200_000, reserved_bytes: 0 })
  })
})
