import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { appendFile, writeFile } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { pino } from 'pino'
import { openRpc } from '../../../../api/payments/chain/nodes.ts'
import { partialsOf } from '../../../../api/platform/blobs/open.ts'
import { removeBlobs } from '../../../../api/platform/blobs/removeBlobs.ts'
import { partialPath } from '../../../../api/platform/blobs/store.ts'
import { hashFiles } from '../../../../api/workspace/attachments/hash.ts'
import { processFiles } from '../../../../api/workspace/processing/process.ts'
import { expireUploads } from '../../../../api/workspace/uploads/expire.ts'
import { sha256Hex } from '../../../../protocol/encoding/canonical.ts'
import { passTime } from '../../../kit/api/trading.ts'
import { append, begin, hang, metadata, offsetOf, tus } from '../../../kit/api/workspace/tus.ts'
import { expectCode, startWorkspace, type TestAttachment, type Workspace } from '../../../kit/api/workspace/world.ts'
import { until } from '../../../kit/until.ts'

const MEGABYTE = 1_048_576
const idOf = (path: string) => path.slice('/uploads/'.length)
const digest = (algorithm: string, text: string) =>
  `${algorithm} ${createHash(algorithm).update(text).digest('base64')}`

describe('an upload in parts', () => {
  let world: Workspace
  before(async () => {
    world = await startWorkspace()
  })
  after(() => world.stop())

  const usage = async () => (await world.call('GET', '/usage')).body as unknown as Record<string, number>
  const reserved = async () => (await usage()).reserved_bytes
  const attached = async (headers: Headers) => {
    const { status, body } = await world.call('GET', `/attachments/${headers.get('workspace-attachment')}`)
    expect(status).to.equal(200)
    return body as unknown as TestAttachment
  }
  /** Asks until the upload is whole, and returns what it became. */
  const outcome = async (path: string) => attached((await tus(world, 'HEAD', path)).headers)
  const leased = (path: string) =>
    world.api.db
      .selectFrom('market.uploads')
      .select(['lease_id', 'is_wanted'])
      .where('id', '=', idOf(path))
      .executeTakeFirstOrThrow()
  const worker = () => ({
    ...{ db: world.api.db, rpc: openRpc('http://127.0.0.1:9'), settings: world.api.settings },
    log: pino({ level: 'silent' }),
  })
  const work = async () => {
    await expireUploads(worker())
    await removeBlobs(worker())
  }
  /** Writes bytes as another process does, of which this one knows nothing. */
  const appendElsewhere = (path: string, bytes: string) =>
    appendFile(partialPath(world.api.settings.blobDirectory, idOf(path)), bytes)
  /** Uploads a text, with a part of it at another process, and returns what it became. */
  const attachedByTwo = async (filename: string, text: string) => {
    const path = await begin(world, text.length, { filename })
    await append(world, path, 0, text.slice(0, 1))
    await appendElsewhere(path, text.slice(1, 2))
    return attached((await append(world, path, 2, text.slice(2))).headers)
  }
  const again = async ({ id }: TestAttachment) => (await world.call('GET', `/attachments/${id}`)).body
  const updates = async ({ id }: TestAttachment) => {
    const { rows } = await sql<{ data: object }>`select payload -> 'data' as data from market.events
      where event_type = 'attachment.updated' and payload ->> 'entity_id' = ${id}`.execute(world.api.db)
    return rows.map(({ data }) => data)
  }
  const stored = (path: string) => partialsOf(world.api.settings).sizeOf(idOf(path))

  it('tells anybody what it offers', async () => {
    for (const path of ['/uploads', '/uploads/01890000-0000-7000-8000-000000000000']) {
      const { status, headers } = await world.api.send('OPTIONS', path)
      expect(status).to.equal(204)
      expect(headers.get('tus-version')).to.equal('1.0.0')
      expect(headers.get('tus-extension')?.split(',')).to.have.members([
        'creation',
        'creation-with-upload',
        'termination',
        'expiration',
        'checksum',
      ])
      expect(Number(headers.get('tus-max-size'))).to.equal(world.api.settings.rules.maxUploadBytes)
      expect(headers.get('tus-checksum-algorithm')).to.include('sha1')
    }
  })

  it('arrives piece by piece, holds its room meanwhile, and is an attachment with its last byte [spec w3:3 w4:14]', async () => {
    const used = await world.usedBytes()
    const page = await world.newPage('Notes')
    const headers = {
      'upload-length': '10',
      'upload-metadata': metadata(world, page, { insert: 'embed', cursor: '0' }),
    }
    const created = await tus(world, 'POST', '/uploads', { headers })
    expect(created.status).to.equal(201)
    expect(new Date(String(created.headers.get('upload-expires'))).getTime()).to.be.above(Date.now())
    const path = String(created.headers.get('location'))
    expect(path).to.match(/^\/uploads\/[0-9a-f-]{36}$/)
    expect(await reserved()).to.equal(10)
    const first = await append(world, path, 0, 'Forty')
    expect([first.status, first.headers.get('upload-offset')]).to.deep.equal([204, '5'])
    expect(first.headers.get('workspace-attachment')).to.equal(null)
    const head = await tus(world, 'HEAD', path)
    expect(head.headers.get('upload-length')).to.equal('10')
    expect(head.headers.get('upload-metadata')).to.equal(headers['upload-metadata'])
    const last = await append(world, path, 5, '-two.')
    expect(await attached(last.headers)).to.deep.include({
      ...{ filename: 'verse.txt', size_bytes: 10, sha256: sha256Hex('Forty-two.'), media_type: 'text/plain' },
      ...{ page_id: page.id, version: 1 },
    })
    expect(await world.textOf(page)).to.equal('![[verse.txt]]Notes')
    expect([await reserved(), await world.usedBytes()]).to.deep.equal([0, used + 10])
  })

  it('says what it became to a sender who missed the last answer [spec w3:4]', async () => {
    const path = await begin(world, 3)
    const { headers } = await append(world, path, 0, 'abc')
    for (const method of ['HEAD', 'GET']) {
      const again = await tus(world, method, path)
      expect(again.status).to.equal(200)
      expect(again.headers.get('upload-offset')).to.equal('3')
      expect(again.headers.get('workspace-attachment')).to.equal(headers.get('workspace-attachment'))
    }
    expect((await tus(world, 'DELETE', path)).status).to.equal(204)
    expect((await attached(headers)).state).to.equal('active')
    expectCode(await tus(world, 'GET', path), 404, 'resource/not-found', 'not_found')
  })

  it('becomes an attachment at the next request, where the process died after the last byte', async () => {
    const path = await begin(world, 6)
    await append(world, path, 0, 'abc')
    await appendElsewhere(path, 'xyz')
    const made = await outcome(path)
    await hashFiles(worker())
    expect(await again(made)).to.deep.include({ state: 'active', sha256: sha256Hex('abcxyz') })
  })

  it('that several processes took is hashed by the worker, once, and has no hash and no type before', async () => {
    const text = '<svg>of two processes</svg>'
    const made = await attachedByTwo('two.svg', text)
    expect(made).not.to.have.property('sha256')
    expect(made).to.deep.include({ state: 'hashing', media_type: 'application/octet-stream', size_bytes: text.length })
    const versions = (await world.call('GET', `/attachments/${made.id}/versions`)).body as unknown as object[]
    expect(versions[0]).not.to.have.property('sha256')
    const download = async () => {
      const { headers } = await world.call('GET', `/attachments/${made.id}/download`)
      const link = String(headers.get('location')).replace(world.api.settings.baseUrl, world.api.baseUrl)
      const response = await fetch(link)
      expect(await response.text()).to.equal(text)
      return response.headers
    }
    const early = await download()
    expect([early.get('repr-digest'), early.get('cross-origin-resource-policy')]).to.deep.equal([null, 'same-site'])
    expect(early.get('content-disposition')).to.include('attachment')
    await processFiles(worker())
    expect(await again(made)).to.include({ text_state: 'pending' })
    await Promise.all([hashFiles(worker()), hashFiles(worker())])
    expect(await again(made)).to.include({ state: 'active', sha256: sha256Hex(text), media_type: 'image/svg+xml' })
    expect((await download()).get('etag')).to.equal(`"${sha256Hex(text)}"`)
    const update = { page_id: world.page.id, version: 1, media_type: 'image/svg+xml' }
    expect(await updates(made)).to.deep.equal([update])
    await processFiles(worker())
    expect((await again(made)).text_state).not.to.equal('pending')
    await world.call('DELETE', `/attachments/${made.id}`)
  })

  it('is hashed although the bytes of many that came before it are gone', async () => {
    const org = sql`(select id from market.orgs where slug = ${world.slug})`
    const gone = sql`('00000000-0000-7000-8000-' || lpad(number::text, 12, '0'))::uuid`
    // More than the worker takes at once.
    await sql`insert into market.files (id, org_id, size_bytes) select ${gone}, ${org}, 1 from generate_series(1, 45) number`.execute(
      world.api.db,
    )
    const made = await attachedByTwo('behind.txt', 'Behind those that are gone.')
    await hashFiles(worker())
    expect(await again(made)).to.include({ state: 'active', sha256: sha256Hex('Behind those that are gone.') })
    await sql`delete from market.files where sha256 is null`.execute(world.api.db)
    await world.call('DELETE', `/attachments/${made.id}`)
  })

  it('with the bytes of another file takes up no room once they are known, whatever became of it meanwhile', async () => {
    const text = 'The same bytes, twice.'
    const first = await world.attach(world.page, text)
    const used = await world.usedBytes()
    const [kept, trashed, changed, purged] = await Promise.all(
      ['kept', 'trashed', 'changed', 'purged'].map((name) => attachedByTwo(`${name}.txt`, text)),
    )
    expect(await world.usedBytes()).to.equal(used + 4 * text.length)
    for (const each of [trashed, purged]) await world.call('DELETE', `/attachments/${each?.id}`)
    expect((await world.call('POST', `/attachments/${purged?.id}/purge`)).status).to.equal(204)
    const raw = Buffer.from('A newer one.')
    const replaced = await world.api.send('PUT', `/orgs/${world.slug}/attachments/${changed?.id}/content`, {
      ...{ token: world.ada.token, raw, headers: { 'content-type': 'application/octet-stream' } },
    })
    expect(replaced.status).to.equal(200)
    const restored = await world.call('POST', `/attachments/${changed?.id}/versions/1/restore`)
    expect(restored.body).to.include({ state: 'hashing', version: 3 })
    await Promise.all([hashFiles(worker()), hashFiles(worker())])
    expect(await world.usedBytes()).to.equal(used + raw.length)
    const known = { sha256: sha256Hex(text), media_type: 'text/plain' }
    expect(await again(kept as TestAttachment)).to.include({ ...known, state: 'active' })
    expect(await again(trashed as TestAttachment)).to.include({ ...known, state: 'trashed' })
    expect(await again(changed as TestAttachment)).to.include({ ...known, state: 'active' })
    const org = sql`(select id from market.orgs where slug = ${world.slug})`
    const { rows } =
      await sql`select from market.attachment_versions version join market.files file on file.id = file_id
      where file.sha256 = ${known.sha256} and file.org_id = ${org}`.execute(world.api.db)
    expect(rows).to.have.length(5)
    await removeBlobs(worker())
    const { rows: files } = await sql<{
      id: string
    }>`select id from market.files where sha256 = ${known.sha256} and org_id = ${org}`.execute(world.api.db)
    expect(files).to.have.length(1)
    expect(await partialsOf(world.api.settings).sizeOf(files[0]?.id ?? '')).to.equal(text.length)
    expect(await partialsOf(world.api.settings).sizeOf(first.id)).to.equal(0)
  })

  it('is read once by the process that took every part of it', async () => {
    const bytes = randomBytes(3 * MEGABYTE)
    const path = await begin(world, bytes.length)
    for (const offset of [0, MEGABYTE, 2 * MEGABYTE]) {
      const sent = await append(world, path, offset, Buffer.from(bytes.subarray(offset, offset + MEGABYTE)))
      expect(sent.status).to.equal(204)
      // Whoever reads what is stored finds other bytes from here on.
      if (offset === MEGABYTE)
        await writeFile(partialPath(world.api.settings.blobDirectory, idOf(path)), Buffer.alloc(2 * MEGABYTE))
    }
    const made = await outcome(path)
    expect(made.sha256).to.equal(createHash('sha256').update(bytes).digest('hex'))
    expect(made.media_type).to.equal('application/octet-stream')
  })

  it('is sent, asked for and given up by POST, of a client that knows no other methods', async () => {
    const path = await begin(world, 6)
    const post = (method: string | undefined, sent: object = {}) =>
      tus(world, 'POST', path, { ...sent, headers: { 'x-http-method-override': method, 'upload-offset': '0' } })
    expect((await post('PATCH', { bytes: 'abc' })).headers.get('upload-offset')).to.equal('3')
    const asked = await post('head')
    expect([asked.status, asked.headers.get('upload-offset')]).to.deep.equal([200, '3'])
    for (const method of [undefined, 'PUT', 'POST']) {
      const refused = await post(method)
      expectCode(refused, 405, 'request/method-not-allowed', 'method_not_allowed')
      expect(refused.headers.get('allow')).to.equal('GET, HEAD, PATCH, DELETE')
    }
    expectCode(
      await tus(world, 'POST', path, { by: world.agent, headers: { 'x-http-method-override': 'DELETE' } }),
      404,
      'resource/not-found',
      'not_found',
    )
    expect((await post('DELETE')).status).to.equal(204)
    expect((await tus(world, 'HEAD', path)).status).to.equal(404)
  })

  it('may come with its creation, and may be empty [spec w4:15]', async () => {
    const headers = { 'upload-length': '3', 'upload-metadata': metadata(world, world.page) }
    const whole = await tus(world, 'POST', '/uploads', { headers, bytes: 'abc' })
    expect([whole.status, whole.headers.get('upload-offset')]).to.deep.equal([201, '3'])
    expect((await attached(whole.headers)).sha256).to.equal(sha256Hex('abc'))
    const empty = await tus(world, 'POST', '/uploads', { headers: { ...headers, 'upload-length': '0' } })
    expect((await attached(empty.headers)).size_bytes).to.equal(0)
  })

  it('goes on where a lost connection left it, to the byte', async () => {
    const bytes = randomBytes(2 * MEGABYTE)
    for (const how of ['destroy', 'resetAndDestroy'] as const) {
      const path = await begin(world, bytes.length)
      const sent = MEGABYTE + 7
      const hanging = await hang(world, path, 0, { bytes: bytes.subarray(0, sent), restBytes: bytes.length })
      hanging.drop(how)
      expect(await offsetOf(world, path)).to.equal(sent)
      const last = await append(world, path, sent, Buffer.from(bytes.subarray(sent)))
      expect((await attached(last.headers)).sha256).to.equal(createHash('sha256').update(bytes).digest('hex'))
    }
  })

  it('takes nothing at another offset [spec w7:6]', async () => {
    const path = await begin(world, 10)
    await append(world, path, 0, 'abc')
    for (const offset of [0, 2, 4, 10]) {
      const reply = await append(world, path, offset, 'x')
      expectCode(reply, 409, 'workspace/upload-offset-mismatch', 'upload_offset_mismatch')
    }
    expect(await offsetOf(world, path)).to.equal(3)
  })

  it('takes one of two that send the same at once', async () => {
    const path = await begin(world, 3)
    const replies = await Promise.all([append(world, path, 0, 'abc'), append(world, path, 0, 'abc')])
    expect(replies.map(({ status }) => status).sort()).to.deep.equal([204, 409])
    expect((await outcome(path)).sha256).to.equal(sha256Hex('abc'))
  })

  it('is taken from a request that hangs by the next one', async () => {
    const path = await begin(world, 6)
    const hanging = await hang(world, path, 0, { bytes: Buffer.from('abc'), restBytes: 6 })
    const { status } = await append(world, path, 3, 'def')
    expect(status).to.equal(204)
    await hanging.ended
    expect((await outcome(path)).sha256).to.equal(sha256Hex('abcdef'))
  })

  it('waits for another process that works on it, and goes on after one that died', async () => {
    const path = await begin(world, 3)
    const lease = (until: string) =>
      sql`update market.uploads set lease_id = ${randomUUID()}, leased_until = ${sql.raw(until)}
        where id = ${idOf(path)}`.execute(world.api.db)
    await lease("clock_timestamp() + interval '1 hour'")
    const waiting = append(world, path, 0, 'abc')
    await until('the lease is wanted', async () => (await leased(path)).is_wanted, Boolean, { pollMs: 10 })
    expect(await stored(path)).to.equal(0)
    await lease("clock_timestamp() - interval '1 second'")
    expect((await waiting).status).to.equal(204)
  })

  it('takes headers in any case and spacing', async () => {
    const spaced = metadata(world, world.page).replaceAll(',', ' , ').replaceAll(' ', '  ')
    const begun = await tus(world, 'POST', '/uploads', { headers: { 'upload-length': '3', 'upload-metadata': spaced } })
    expect(begun.status, JSON.stringify(begun.body)).to.equal(201)
    const checksum = digest('sha1', 'abc').replace('sha1 ', 'SHA1\t ')
    const sent = await tus(world, 'PATCH', String(begun.headers.get('location')), {
      bytes: 'abc',
      headers: {
        'content-type': 'Application/Offset+Octet-Stream; v=1',
        'upload-offset': '0',
        'upload-checksum': checksum,
      },
    })
    expect(sent.status, JSON.stringify(sent.body)).to.equal(204)
  })

  it('keeps the bytes of a request whose checksum they have, and no others', async () => {
    const path = await begin(world, 9)
    const send = (offset: number, bytes: string, checksum: string) =>
      tus(world, 'PATCH', path, { bytes, headers: { 'upload-offset': String(offset), 'upload-checksum': checksum } })
    expect((await send(0, 'abc', digest('sha1', 'abc'))).status).to.equal(204)
    expectCode(await send(3, 'def', digest('sha1', 'dxf')), 460, 'workspace/checksum-mismatch', 'checksum_mismatch')
    expect(await offsetOf(world, path)).to.equal(3)
    const headers = { 'upload-checksum': digest('sha256', 'defghi') }
    const hanging = await hang(world, path, 3, { bytes: Buffer.from('def'), restBytes: 6, headers })
    hanging.drop('resetAndDestroy')
    expect(await offsetOf(world, path)).to.equal(3)
    // As a process leaves it that dies before it has compared.
    await appendElsewhere(path, 'dxf')
    await sql`update market.uploads set unverified_from = 3 where id = ${idOf(path)}`.execute(world.api.db)
    expect(await offsetOf(world, path)).to.equal(3)
    expect((await send(3, 'defghi', digest('md5', 'defghi'))).status).to.equal(204)
    // What was dropped in between was read, too: the worker reads the file as a whole.
    const made = await outcome(path)
    await hashFiles(worker())
    expect((await again(made)).sha256).to.equal(sha256Hex('abcdefghi'))
    for (const wrong of ['crc32 AAAA', 'sha1', 'sha1 AAAA']) {
      expect((await send(9, '', wrong)).body).to.deep.include({ status: 400, field: 'Upload-Checksum' })
    }
  })

  it('reserves its room: uploads begun at once cannot exceed the quota, and give back what they do not use [spec w7:2 attacks:9]', async () => {
    const { rules } = world.api.settings
    const { maxOrgBytes } = rules
    const { used_bytes = 0, reserved_bytes = 0 } = await usage()
    rules.maxOrgBytes = used_bytes + reserved_bytes + 25
    try {
      const headers = { 'upload-length': '10', 'upload-metadata': metadata(world, world.page) }
      const replies = await Promise.all(Array.from({ length: 5 }, () => tus(world, 'POST', '/uploads', { headers })))
      const begun = replies.filter(({ status }) => status === 201)
      expect(begun).to.have.length(2)
      for (const refused of replies.filter(({ status }) => status !== 201)) {
        expectCode(refused, 413, 'workspace/quota-exceeded', 'quota_exceeded')
      }
      expectCode(
        await world.upload({ page: world.page.id }, new File(['no room'], 'x')),
        413,
        'workspace/quota-exceeded',
        'quota_exceeded',
      )
      for (const { headers: made } of begun) {
        expect((await tus(world, 'DELETE', String(made.get('location')))).status).to.equal(204)
      }
      expect(await reserved()).to.equal(reserved_bytes)
    } finally {
      rules.maxOrgBytes = maxOrgBytes
    }
  })

  it('is over after its time, and leaves nothing', async () => {
    const before = await reserved()
    const path = await begin(world, 10)
    await append(world, path, 0, 'abc')
    await passTime(world.api, world.api.settings.rules.uploadSeconds + 1)
    expectCode(await append(world, path, 3, 'def'), 404, 'resource/not-found', 'not_found')
    expect(await reserved()).to.equal(Number(before) + 10)
    await work()
    expect(await reserved()).to.equal(0)
    expect(await stored(path)).to.equal(0)
  })

  it('ends after its time although its row reserves more room than its org has reserved, as one of a stolen login may', async () => {
    const before = await reserved()
    const path = await begin(world, 10)
    await sql`update market.uploads set reserved_bytes = ${Number(before) + 1_000} where id = ${idOf(path)}`.execute(
      world.api.db,
    )
    await passTime(world.api, world.api.settings.rules.uploadSeconds + 1)
    await work()
    expectCode(await append(world, path, 0, 'abc'), 404, 'resource/not-found', 'not_found')
    const { rows } = await sql`select from market.uploads where id = ${idOf(path)}`.execute(world.api.db)
    expect([rows.length, await reserved()]).to.deep.equal([0, 0])
  })

  it('is its creator’s alone, who must be in the org', async () => {
    const path = await begin(world, 3)
    for (const by of [world.agent, world.stranger]) {
      expectCode(await tus(world, 'GET', path, { by }), 404, 'resource/not-found', 'not_found')
      expectCode(await append(world, path, 0, 'abc', by), 404, 'resource/not-found', 'not_found')
      expectCode(await tus(world, 'DELETE', path, { by }), 404, 'resource/not-found', 'not_found')
    }
    const headers = { 'upload-length': '3', 'upload-metadata': metadata(world, world.page) }
    const foreign = await tus(world, 'POST', '/uploads', { headers, by: world.stranger })
    expectCode(foreign, 404, 'resource/not-found', 'not_found')
    const move = (to: string, from: string) =>
      sql`update market.org_members set human_id = ${to} where human_id = ${from}`.execute(world.api.db)
    await move(world.stranger.id, world.ada.id)
    expectCode(await append(world, path, 0, 'abc'), 404, 'resource/not-found', 'not_found')
    expect((await tus(world, 'HEAD', path)).status).to.equal(404)
    await move(world.ada.id, world.stranger.id)
    expect((await append(world, path, 0, 'abc')).status).to.equal(204)
    expect((await outcome(path)).sha256).to.equal(sha256Hex('abc'))
  })

  it('is begun once by a call that is repeated with its key', async () => {
    const before = Number(await reserved())
    const begun = (length: number) =>
      tus(world, 'POST', '/uploads', {
        headers: {
          ...{ 'upload-length': String(length), 'upload-metadata': metadata(world, world.page) },
          'idempotency-key': `key-${world.slug}`,
        },
      })
    const [one, other] = await Promise.all([begun(5), begun(5)])
    const again = await begun(5)
    const places = [one, other, again]
      .filter(({ status }) => status === 201)
      .map(({ headers }) => headers.get('location'))
    expect(new Set(places).size).to.equal(1)
    expect(again.headers.get('idempotent-replayed')).to.equal('true')
    expect(await reserved()).to.equal(before + 5)
    expectCode(await begun(6), 409, 'idempotency/key-reused', 'key_reused')
    expect((await tus(world, 'DELETE', String(places[0]))).status).to.equal(204)
  })

  it('says what was wrong with a request, which changes nothing [spec w4:16]', async () => {
    const { rules } = world.api.settings
    const said = metadata(world, world.page)
    const good = { 'upload-length': '3', 'upload-metadata': said }
    const path = await begin(world, 3)
    const cases: [string, string, Record<string, string | undefined>, object][] = [
      ['POST', '', { ...good, 'tus-resumable': undefined }, { status: 412, code: 'tus_version' }],
      ['POST', '', { ...good, 'tus-resumable': '0.2.2' }, { status: 412, code: 'tus_version' }],
      ['POST', '', { 'upload-metadata': said }, { status: 400, field: 'Upload-Length' }],
      ['POST', '', { 'upload-defer-length': '1', 'upload-metadata': said }, { status: 400, field: 'Upload-Length' }],
      ['POST', '', { ...good, 'upload-length': '-1' }, { status: 400, field: 'upload-length' }],
      ['POST', '', { ...good, 'upload-metadata': 'org ???' }, { status: 400, field: 'upload-metadata' }],
      ['POST', '', { 'upload-length': '3' }, { status: 400, field: 'page' }],
      ['POST', '', { ...good, 'upload-metadata': `${said},cursor LTE=` }, { status: 400, field: 'cursor' }],
      ['POST', '', { ...good, 'upload-metadata': `${said},x AA==` }, { status: 400, field: 'x' }],
      ['POST', '', { ...good, 'upload-concat': 'partial' }, { status: 400, field: 'Upload-Concat' }],
      ['POST', '', { ...good, 'upload-length': String(rules.maxUploadBytes + 1) }, { code: 'file_too_large' }],
      ['PATCH', path, { 'upload-offset': undefined }, { status: 400, field: 'Upload-Offset' }],
      ['PATCH', path, { 'upload-offset': 'x' }, { status: 400, field: 'upload-offset' }],
      ['PATCH', path, { 'upload-offset': '0', 'content-type': 'text/plain' }, { status: 415 }],
      ['PATCH', path, { 'upload-offset': '0', 'upload-length': '9' }, { status: 400, field: 'Upload-Length' }],
      ['PATCH', path, { 'upload-offset': '0' }, { status: 413, code: 'file_too_large' }],
    ]
    for (const [method, at, headers, expected] of cases) {
      const bytes = method === 'PATCH' ? { bytes: 'abcdef' } : {}
      const { body, headers: told } = await tus(world, method, at || '/uploads', { headers, ...bytes })
      expect(body, `${method} ${JSON.stringify(headers)}`).to.deep.include(expected)
      expect(told.get('tus-version')).to.equal('1.0.0')
    }
    expect(await offsetOf(world, path)).to.equal(0)
    expect(await reserved()).to.equal(3)
  })
})
