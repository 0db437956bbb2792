import { truncate } from 'node:fs/promises'
import { join as joinPath } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sha256Hex } from '../../../../protocol/encoding/canonical.ts'
import type { Account } from '../../../kit/api/identity/accounts/owners.ts'
import { passTime } from '../../../kit/api/trading.ts'
import { newMember } from '../../../kit/api/workspace/joining.ts'
import { expectCode, startWorkspace, type TestAttachment, type Workspace } from '../../../kit/api/workspace/world.ts'

const VERSE = 'Forty-two lines of verse.'

describe('a download', () => {
  let world: Workspace
  before(async () => {
    world = await startWorkspace()
  })
  after(() => world.stop())

  /** The link that a download leads to, on this test's server. */
  const linkTo = async ({ id }: TestAttachment, path = '/download', by: Account = world.ada) => {
    const reply = await world.call('GET', `/attachments/${id}${path}`, by)
    expect(reply.status, JSON.stringify(reply.body)).to.equal(302)
    expect(reply.headers.get('cache-control')).to.equal('no-store')
    return String(reply.headers.get('location')).replace(world.api.settings.baseUrl, world.api.baseUrl)
  }
  const open = (link: string, headers: Record<string, string> = {}, method = 'GET') => fetch(link, { method, headers })
  const refused = async (link: string, status: number, code: string) => {
    const response = await open(link)
    const body = (await response.json()) as { code: string }
    expect({ status: response.status, code: body.code }).to.deep.equal({ status, code })
  }
  const attach = async (content: string | Buffer<ArrayBuffer> = VERSE, name = 'verse.txt') =>
    world.attach(await world.newPage(), content, name)

  it('leads to the bytes, under their name and hash [spec w4:5]', async () => {
    const response = await open(await linkTo(await attach(VERSE, 'vörse €;1.txt')))
    expect(response.status).to.equal(200)
    expect(await response.text()).to.equal(VERSE)
    expect(Object.fromEntries(response.headers)).to.include({
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': `inline; filename="vorse __1.txt"; filename*=UTF-8''v%C3%B6rse%20%E2%82%AC%3B1.txt`,
      'content-length': String(VERSE.length),
      etag: `"${sha256Hex(VERSE)}"`,
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; img-src 'self'; media-src 'self'; sandbox",
      'cache-control': 'private, no-cache, no-transform',
      'referrer-policy': 'no-referrer',
    })
  })

  it('is a text that a browser shows in its own letters, and that stays as it was uploaded', async () => {
    const bytes = (...parts: (string | number[])[]) =>
      Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))))
    const utf16 = Buffer.from('größe;日本\r\n12;Київ\r\n', 'utf16le')
    const long = 'x'.repeat(20_000)
    const cases: [label: string, content: Buffer<ArrayBuffer>, shown: string][] = [
      ['utf-8', bytes('Größe'), 'Größe'],
      ['utf-8', bytes([0xef, 0xbb, 0xbf], 'Größe'), 'Größe'],
      // One broken character makes no other encoding of it.
      ['utf-8', bytes([0xef, 0xbb, 0xbf], 'Größe', [0xff]), 'Größe\ufffd'],
      ['utf-8', bytes('Всё хорошо, and ', [0xd0]), 'Всё хорошо, and \ufffd'],
      ['utf-8', bytes(long, '日本'), `${long}日本`],
      ['utf-16le', bytes([0xff, 0xfe], [...utf16]), utf16.toString('utf16le')],
      ['utf-16be', bytes([0xfe, 0xff], [...Buffer.from(utf16).swap16()]), utf16.toString('utf16le')],
      // SQL Server writes no mark.
      ['utf-16le', utf16, utf16.toString('utf16le')],
      ['utf-16be', Buffer.from(utf16).swap16(), utf16.toString('utf16le')],
      ['windows-1252', bytes([0x80], ' 5 f', [0xfc], 'r den Caf', [0xe9]), '€ 5 für den Café'],
      ['windows-1252', bytes(long, 'Gr', [0xf6, 0xdf], 'e'), `${long}Größe`],
      ['windows-1251', bytes('@charset "cp1251";\n/* ', [0xcf, 0xf0], ' */'), '@charset "cp1251";\n/* Пр */'],
      [
        'koi8-r',
        bytes('#!/usr/bin/python\n# -*- coding: koi8-r -*-\n# ', [0xf0]),
        '#!/usr/bin/python\n# -*- coding: koi8-r -*-\n# П',
      ],
      // Not markup: it speaks of it.
      ['windows-1252', bytes('Write <meta charset=koi8-r> f', [0xfc], 'r'), 'Write <meta charset=koi8-r> für'],
      ['utf-8', Buffer.alloc(0), ''],
    ]
    for (const [label, content, shown] of cases) {
      const response = await open(await linkTo(await attach(content, 'x.csv')))
      const sent = Buffer.from(await response.arrayBuffer())
      expect(response.headers.get('content-type'), shown.slice(-60)).to.equal(`text/plain; charset=${label}`)
      expect(response.headers.get('content-disposition')).to.match(/^inline/)
      expect(new TextDecoder(label).decode(sent) === shown, shown.slice(-60)).to.equal(true)
      expect(sent.equals(content)).to.equal(true)
    }
  })

  it('leads to where no session is', async () => {
    const { settings } = world.api
    settings.filesUrl = 'https://files.example'
    try {
      const reply = await world.call('GET', `/attachments/${(await attach()).id}/download`)
      expect(reply.headers.get('location')).to.match(/^https:\/\/files\.example\/files\//)
    } finally {
      settings.filesUrl = settings.baseUrl
    }
  })

  it('leads to an old version, and to the one that is current', async () => {
    const made = await attach('one')
    const first = await linkTo(made)
    await world.replace(made, 'two')
    const textAt = async (link: string) => (await open(link)).text()
    expect(await textAt(await linkTo(made))).to.equal('two')
    expect(await textAt(await linkTo(made, '/versions/1/download'))).to.equal('one')
    expect(await textAt(first)).to.equal('one')
    const none = await world.call('GET', `/attachments/${made.id}/versions/3/download`)
    expectCode(none, 404, 'resource/not-found', 'not_found')
  })

  it('shows no browser what it could run, whatever the file is called [spec w4:7 attacks:12]', async () => {
    const active = [
      '<script>alert(1)</script>',
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
      '<?xml version="1.0"?><a/>',
    ]
    for (const content of active) {
      const { headers } = await open(await linkTo(await attach(content, 'picture.png'), '/download?disposition=inline'))
      expect(headers.get('content-type')).to.equal('application/octet-stream')
      expect(headers.get('content-disposition')).to.match(/^attachment;/)
    }
    const { headers } = await open(await linkTo(await attach('GIF89a/*<script>alert(1)</script>', 'x.html')))
    expect(headers.get('content-type')).to.equal('image/gif')
    const saved = await open(await linkTo(await attach(), '/download?disposition=attachment'))
    expect(saved.headers.get('content-disposition')).to.match(/^attachment;/)
  })

  it('answers ranges, and what its receiver has already', async () => {
    const link = await linkTo(await attach('0123456789'))
    const etag = `"${sha256Hex('0123456789')}"`
    const part = async (range: string, more: Record<string, string> = {}) => {
      const response = await open(link, { range, ...more })
      const isText = response.headers.get('content-type')?.startsWith('text/') ?? false
      return [response.status, response.headers.get('content-range'), isText ? await response.text() : '']
    }
    expect(await part('bytes=2-4')).to.deep.equal([206, 'bytes 2-4/10', '234'])
    expect(await part('bytes=7-')).to.deep.equal([206, 'bytes 7-9/10', '789'])
    expect(await part('bytes=-3')).to.deep.equal([206, 'bytes 7-9/10', '789'])
    expect(await part('bytes=8-99')).to.deep.equal([206, 'bytes 8-9/10', '89'])
    expect(await part('bytes=2-4', { 'if-range': etag })).to.deep.equal([206, 'bytes 2-4/10', '234'])
    for (const range of ['bytes=0-1,4-5', 'bytes=4-2', 'lines=1-2', 'bytes=-']) {
      expect(await part(range)).to.deep.equal([200, null, '0123456789'])
    }
    expect(await part('bytes=2-4', { 'if-range': '"other"' })).to.deep.equal([200, null, '0123456789'])
    for (const range of ['bytes=10-', 'bytes=-0']) expect(await part(range)).to.deep.equal([416, 'bytes */10', ''])
    expect((await open(link, { 'if-none-match': `"other", ${etag}` })).status).to.equal(304)
    expect((await open(link, { 'if-none-match': '"other"' })).status).to.equal(200)
    const head = await open(link, {}, 'HEAD')
    expect([head.status, head.headers.get('content-length'), await head.text()]).to.deep.equal([200, '10', ''])
  })

  it('is refused to agents, who read what is known of it [spec w5:2 w7:4]', async () => {
    const made = await attach()
    for (const path of ['/download', '/versions/1/download']) {
      const reply = await world.call('GET', `/attachments/${made.id}${path}`, world.agent)
      expectCode(reply, 403, 'workspace/humans-only', 'humans_only')
    }
    expect((await world.call('GET', `/attachments/${made.id}`, world.agent)).status).to.equal(200)
    const acting = await world.api.send('GET', `/orgs/${world.slug}/attachments/${made.id}/download`, {
      token: world.ada.token,
      headers: { 'market-agent': world.agent.urn },
    })
    expectCode(acting, 403, 'workspace/humans-only', 'humans_only')
    const foreign = await world.call('GET', `/attachments/${made.id}/download`, world.stranger)
    expectCode(foreign, 404, 'resource/not-found', 'not_found')
  })

  it('has a link that is worth nothing changed, late, in the trash or without its member [spec w4:6 attacks:10]', async () => {
    const made = await attach()
    const other = await attach('other')
    const bob = await newMember(world, 'Bob')
    expect((await open(await linkTo(made, '/download', bob))).status).to.equal(200)
    await world.replace(made, 'two')
    const link = await linkTo(made)
    const changes: [string | RegExp, string][] = [
      [made.id, other.id],
      [`${made.id}/2`, `${made.id}/1`],
      // He is a member too, who may read it.
      [/account=[^&]+/, `account=${bob.id}`],
      [/$/, `&agent=${world.agent.id}`],
      ['disposition=inline', 'disposition=attachment'],
      [/expires=\d+/, 'expires=99999999999'],
      [/signature=.*/, `signature=${'A'.repeat(43)}`],
    ]
    for (const [from, to] of changes) await refused(link.replace(from, to), 404, 'not_found')
    await refused(link.replace(/&signature=.*/, ''), 400, 'invalid')
    await world.call('DELETE', `/attachments/${made.id}`)
    await refused(link, 404, 'not_found')
    expectCode(
      await world.call('GET', `/attachments/${made.id}/download`),
      409,
      'workspace/attachment-trashed',
      'attachment_trashed',
    )
    await world.call('POST', `/attachments/${made.id}/restore`)
    expect((await open(link)).status).to.equal(200)
    const { db } = world.api
    const own = await db.deleteFrom('market.org_members').where('human_id', '=', world.ada.id).returningAll().execute()
    await refused(link, 404, 'not_found')
    await db.insertInto('market.org_members').values(own).execute()
    await passTime(world.api, world.api.settings.rules.linkSeconds - 5)
    expect((await open(link)).status).to.equal(200)
    await passTime(world.api, 6)
    await refused(link, 403, 'link_expired')
  })

  it('streams a file of any size, and goes to its end at once', async () => {
    const sizeBytes = 3_000_000_000
    const made = await attach('x'.repeat(99), 'large.bin')
    const { db, settings } = world.api
    const { id } = await db
      .updateTable('market.files')
      .set({ size_bytes: BigInt(sizeBytes) })
      .where('sha256', '=', made.sha256)
      .returning('id')
      .executeTakeFirstOrThrow()
    // Sparse: it takes up nothing, and reads as zeros.
    await truncate(joinPath(settings.blobDirectory, id.slice(-2), id), sizeBytes)
    const link = await linkTo(made)
    const before = process.memoryUsage().rss
    const end = await open(link, { range: 'bytes=-5' })
    expect([end.headers.get('content-range'), (await end.arrayBuffer()).byteLength]).to.deep.equal([
      `bytes ${sizeBytes - 5}-${sizeBytes - 1}/${sizeBytes}`,
      5,
    ])
    const whole = await open(link)
    const reader = (whole.body as ReadableStream<Uint8Array>).getReader()
    for (let read = 0; read < 200_000_000; ) read += (await reader.read()).value?.length ?? 0
    await reader.cancel()
    expect(whole.headers.get('content-length')).to.equal(String(sizeBytes))
    expect(process.memoryUsage().rss - before).to.be.below(150_000_000)
  })
})
