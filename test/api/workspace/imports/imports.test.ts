import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { strToU8, zipSync } from 'fflate'
import { sql } from 'kysely'
import { inTransaction } from '../../../../api/platform/db/transaction.ts'
import { DIRECTORY_LIMITS } from '../../../../api/workspace/imports/internal/limits.ts'
import { lockTree } from '../../../../api/workspace/pages/tree.ts'
import { type Account, newHuman } from '../../../kit/api/identity/accounts/owners.ts'
import { untilWaitingForLocks } from '../../../kit/api/platform/db/locks.ts'
import { type Import, importing, type Page, zipped } from '../../../kit/api/workspace/importing.ts'
import { eventsOf, join, newMember } from '../../../kit/api/workspace/joining.ts'
import { expectCode, startWorkspace, type Workspace } from '../../../kit/api/workspace/world.ts'

const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const ENTRY_BYTES = 46
const LINK_MODE = 0o120777

describe('an import', () => {
  let world: Workspace
  let bob: Account
  const { work, newSpace, begin, read, importAll, pagesIn, filesOf } = importing(
    () => world,
    () => bob,
  )
  before(async () => {
    world = await startWorkspace()
    bob = await newMember(world, 'Bob')
  })
  after(() => world.stop())

  const undo = ({ id }: Import, body: object = {}, by = bob) => world.call('POST', `/imports/${id}/undo`, by, body)

  it('makes a tree of its folders, with links and images as references [spec w6.1:11]', async () => {
    const space = await newSpace()
    await world.call('POST', '/pages', world.ada, { space, title: 'Style', text: 'An older one.' })
    const done = await importAll(
      zipped({
        'README.md':
          '﻿# Handbook\n[Style](guide/Style.md), [the guide](./guide/) and [ours](https://example.com/a.md)\n',
        'guide/index.md': 'See [[Style|how we write]], [[Words#rare]] and `[x](Style.md)`.\n\n```\n[[Style]]\n```\n',
        'guide/Style.md': '![A sea](../pictures/the%20sea.png "Sea") ![[the sea.png]] [up](../../README.md)\n',
        'guide/deep/Words.md':
          '[raw](<../../data/words (1).csv>), [gone](missing.md) and [![x](../../pictures/the%20sea.png)](../Style.md)',
        'pictures/the sea.png': PICTURE,
        'data/words (1).csv': 'a,b',
        'unused.txt': 'nobody refers to it',
        '.obsidian/app.json': '{}',
        '__MACOSX/._README.md': 'x',
        'empty/': new Uint8Array(),
      }),
      space,
    )
    expect(done).to.include({ state: 'finished', failure: null, pages: 6, files: 4 })
    const pages = await pagesIn(space)
    expect([...pages.keys()].sort()).to.deep.equal(
      ['Handbook', 'README', 'Style', 'Style (2)', 'Words', 'deep', 'guide'].sort(),
    )
    const parentOf = (title: string) => [...pages.values()].find(({ id }) => id === pages.get(title)?.parent_id)?.title
    expect(['README', 'guide', 'Style (2)', 'deep', 'Words'].map(parentOf)).to.deep.equal([
      undefined,
      undefined,
      'guide',
      'guide',
      'deep',
    ])
    const textOf = (title: string) => pages.get(title)?.text
    expect(textOf('README')).to.equal(
      '# Handbook\n[[Style (2)|Style]], [[guide|the guide]] and [ours](https://example.com/a.md)\n',
    )
    expect(textOf('guide')).to.equal(
      'See [[Style (2)|how we write]], [[Words#rare]] and `[x](Style.md)`.\n\n```\n[[Style]]\n```\n',
    )
    expect(textOf('Style (2)')).to.equal('![[the sea.png|A sea]] ![[the sea.png]] [up](../../README.md)\n')
    expect(textOf('Words')).to.equal(
      '[[words (1).csv|raw]], [gone](missing.md) and [![[the sea.png|x]]](<[[Style (2)]]>)',
    )
    expect(await filesOf(pages.get('Style (2)'))).to.deep.equal(['the sea.png'])
    expect(await filesOf(pages.get('Words'))).to.deep.equal(['the sea.png', 'words (1).csv'])
    expect(await filesOf(pages.get('Handbook'))).to.deep.equal(['unused.txt'])
    const own = (await eventsOf(world, 'import.*')).filter(({ payload }) => payload.entity_id === done.id)
    expect(own.map(({ event_type, payload }) => [event_type, payload.data.state])).to.deep.equal([
      ['import.started', undefined],
      ['import.finished', 'finished'],
    ])
    const { items } = (await world.call('GET', '/notifications', bob)).body as unknown as { items: { kind: string }[] }
    expect(items.map(({ kind }) => kind)).to.include('import.finished')
  })

  it('goes below a page, by an agent too, and again after the worker has died', async () => {
    const space = await newSpace()
    const { body: above } = await world.call('POST', '/pages', world.ada, { space, title: 'Above' })
    const attached = await world.attach(world.page, Buffer.from(zipped({ 'Below this.md': 'x' })), 'one.zip')
    const body = { attachment: attached.id, space, parent: above.id }
    const begun = (await world.call('POST', '/imports', world.agent, body)).body as unknown as Import
    await world.api.db.updateTable('market.imports').set({ attempts: 2 }).where('id', '=', begun.id).execute()
    for (const _ of [1, 2]) await work()
    expect(await read(begun)).to.include({ state: 'finished', pages: 1 })
    expect((await pagesIn(space)).get('Below this')).to.include({ parent_id: above.id })
    const dying = await begin(zipped({ 'Never.md': 'x' }), space)
    await world.api.db.updateTable('market.imports').set({ attempts: 3 }).where('id', '=', dying.id).execute()
    await work()
    expect(await read(dying)).to.include({ state: 'failed', failure: 'The archive could not be read.' })
    const elsewhere = { ...body, space: world.page.space_id }
    expectCode(await world.call('POST', '/imports', bob, elsewhere), 422, 'workspace/page-tree', 'page_tree')
    expect((await world.call('GET', `/imports/${begun.id}`, world.stranger)).status).to.equal(404)
  })

  it('names its pages as their files, whatever pages of another org are called', async () => {
    const send = (path: string, body: object) => world.api.send('POST', path, { token: world.stranger.token, body })
    const slug = 'other-titles'
    await send('/v1/me/orgs', { slug, display_name: 'Other' })
    const { body: theirs } = await send(`/orgs/${slug}/spaces`, { name: 'Theirs' })
    const page = await send(`/orgs/${slug}/pages`, { space: theirs.id, title: 'Taken elsewhere', text: '' })
    expect(page.status).to.equal(201)
    const space = await newSpace()
    expect(await importAll(zipped({ 'Taken elsewhere.md': 'x' }), space)).to.include({ state: 'finished', pages: 1 })
    expect([...(await pagesIn(space)).keys()]).to.deep.equal(['Taken elsewhere'])
  })

  const patched = (archive: Uint8Array, patch: (bytes: Buffer) => void) => {
    const bytes = Buffer.from(archive)
    patch(bytes)
    return bytes
  }
  const directoryAt = (bytes: Buffer) => bytes.indexOf(Buffer.from([0x50, 0x4b, 1, 2]))
  /** The archive with this size in its directory for each file *.bin. */
  const announcing = (archive: Uint8Array, sizeBytes: number) =>
    patched(archive, (bytes) => {
      for (let at = directoryAt(bytes); bytes.readUInt32LE(at) === 0x02014b50; ) {
        const nameBytes = bytes.readUInt16LE(at + 28)
        const name = bytes.toString('utf8', at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes)
        if (name.endsWith('.bin')) bytes.writeUInt32LE(sizeBytes, at + 24)
        at += ENTRY_BYTES + nameBytes
      }
    })
  const one = zipped({ 'a.md': 'Forty-two lines. '.repeat(100) })
  const refused: readonly (readonly [string, Uint8Array, RegExp])[] = [
    ['no archive', Buffer.from('Forty-two.'), /not a zip archive/],
    ['half an archive', one.subarray(0, one.length / 2), /not a zip archive/],
    ['an archive without Markdown', zipped({ 'a.txt': 'x' }), /no Markdown/],
    ['a path that leads out of it', zipped({ '../a.md': 'x' }), /leads out/],
    ['an absolute path', zipped({ '/etc/a.md': 'x' }), /leads out/],
    ['a path with backslashes that leads out', zipped({ '..\\..\\a.md': 'x' }), /leads out/],
    ['folders without end', zipped({ [`${'a/'.repeat(30)}b.md`]: 'x' }), /20 deep/],
    [
      'too many entries',
      zipped(Object.fromEntries([...Array(DIRECTORY_LIMITS.maxEntries + 1).keys()].map((n) => [`${n}.md`, '']))),
      /1000/,
    ],
    ['a page without end', zipped({ 'a.md': 'x'.repeat(200_001) }), /200000 characters/],
    ['too large a file', announcing(zipped({ 'a.md': 'x', 'zeros.bin': 'x' }), 33 * 1_048_576), /zeros\.bin is larger/],
    ['what is no text', zipped({ 'a.md': new Uint8Array([0x00, 0x01]) }), /a\.md is no text/],
    [
      'an announced size that is not so',
      patched(one, (bytes) => bytes.writeUInt32LE(5, directoryAt(bytes) + 24)),
      /damaged/,
    ],
    [
      'bytes that are not those packed',
      patched(one, (bytes) => bytes.writeUInt32LE(5, directoryAt(bytes) + 16)),
      /damaged/,
    ],
    ['bytes that do not inflate', patched(one, (bytes) => bytes.fill(0xff, 36, 40)), /damaged/],
    [
      'a symbolic link',
      zipSync({ 'a.md': strToU8('x'), 'b.md': [strToU8('/etc/passwd'), { os: 3, attrs: LINK_MODE << 16 }] }),
      /b\.md is a symbolic link/,
    ],
    ['an encrypted entry', patched(one, (bytes) => bytes.writeUInt16LE(1, directoryAt(bytes) + 8)), /is encrypted/],
    [
      'an unknown packing',
      patched(one, (bytes) => bytes.writeUInt16LE(99, directoryAt(bytes) + 10)),
      /compression method/,
    ],
  ]
  it('makes nothing of what it refuses, and says why', async () => {
    const space = await newSpace()
    const begun: Import[] = []
    for (const [, archive] of refused) begun.push(await begin(archive, space))
    await work()
    for (const [index, [what, , why]] of refused.entries()) {
      const done = await read(begun[index] as Import)
      expect(done, what).to.include({ state: 'failed', pages: 0, files: 0 })
      expect(done.failure, what).to.match(why)
    }
    expect((await pagesIn(space)).size).to.equal(0)
  })

  /** The archive as programs write it that do not know beforehand how long it becomes (zip64). */
  const inZip64 = (archive: Uint8Array) => {
    const bytes = Buffer.from(archive)
    const wide = (...numbers: number[]) => {
      const buffer = Buffer.alloc(8 * numbers.length)
      for (const [index, number] of numbers.entries()) buffer.writeBigUInt64LE(BigInt(number), 8 * index)
      return buffer
    }
    const start = directoryAt(bytes)
    const directory: Buffer[] = []
    let at = start
    for (; bytes.readUInt32LE(at) === 0x02014b50; at += ENTRY_BYTES + bytes.readUInt16LE(at + 28)) {
      const entry = Buffer.from(bytes.subarray(at, at + ENTRY_BYTES + bytes.readUInt16LE(at + 28)))
      const numbers = wide(...[24, 20, 42].map((place) => entry.readUInt32LE(place)))
      for (const place of [24, 20, 42]) entry.writeUInt32LE(0xffff_ffff, place)
      // Another extra field stands before it.
      const extra = Buffer.concat([Buffer.from([0x55, 0x54, 1, 0, 7, 1, 0, numbers.length, 0]), numbers])
      entry.writeUInt16LE(extra.length, 30)
      directory.push(entry, extra)
    }
    const [count, entries] = [bytes.readUInt16LE(at + 10), Buffer.concat(directory)]
    const head = Buffer.alloc(24)
    head.writeUInt32LE(0x06064b50, 0)
    const end64 = Buffer.concat([head, wide(count, count, entries.length, start)])
    const locator = Buffer.concat([Buffer.from([0x50, 0x4b, 6, 7, 0, 0, 0, 0]), wide(start + entries.length)])
    const end = Buffer.concat([Buffer.from([0x50, 0x4b, 5, 6, 0, 0, 0, 0]), Buffer.alloc(12, 0xff), Buffer.alloc(2)])
    return Buffer.concat([bytes.subarray(0, start), entries, end64, locator, Buffer.alloc(4), end])
  }

  it('is read from zip64, and with names in the code page of old programs', async () => {
    const space = await newSpace()
    const files = zipped({ 'wide/eleven.md': '[twelve](../twelve.md)', 'twelve.md': '![[a.txt]]', 'a.txt': 'a' })
    expect(await importAll(inZip64(files), space)).to.include({ state: 'finished', pages: 3, files: 1 })
    expect((await pagesIn(space)).get('eleven')?.text).to.equal('[[twelve]]')
    const broken = patched(inZip64(files), (bytes) => bytes.writeUInt32LE(0xffff_ffff, bytes.length - 42 + 12))
    expect(await importAll(broken, space)).to.include({ failure: 'The archive is damaged.' })
    const named = patched(zipped({ 'M_ller.md': 'x' }), (bytes) => {
      for (let at = bytes.indexOf('M_ller'); at !== -1; at = bytes.indexOf('M_ller')) bytes[at + 1] = 0x81
    })
    await importAll(named, space)
    expect([...(await pagesIn(space)).keys()]).to.include('Müller')
  })

  it('refuses entries that share bytes, and those of many that inflate to too much', async () => {
    const space = await newSpace()
    const many = Object.fromEntries([...Array(18).keys()].map((n) => [`${n}.bin`, 'x']))
    const large = announcing(zipped({ 'a.md': 'x', ...many }), 30 * 1_048_576)
    expect((await importAll(large, space)).failure).to.match(/inflate to/)
    const bytes = Buffer.from(one)
    const at = directoryAt(bytes)
    const entryBytes = ENTRY_BYTES + 'a.md'.length
    const entry = bytes.subarray(at, at + entryBytes)
    const twin = Buffer.from(entry)
    twin.write('b.md', ENTRY_BYTES)
    const end = Buffer.from(bytes.subarray(at + entryBytes))
    end.writeUInt16LE(2, 8)
    end.writeUInt16LE(2, 10)
    end.writeUInt32LE(2 * entryBytes, 12)
    const shared = Buffer.concat([bytes.subarray(0, at), entry, twin, end])
    expect(await importAll(shared, space)).to.include({ failure: 'The archive is damaged.' })
  })

  it('makes nothing for who has left, from the trash, or into an archived space', async () => {
    const space = await newSpace()
    const archive = zipped({ 'a.md': 'x' })
    const carol = await newHuman(world.api, 'Carol')
    const org = await join(world, carol)
    const left = await begin(archive, space, carol)
    await world.api.send('DELETE', `/v1/me/orgs/${org}/members/${carol.urn}`, { token: carol.token })
    const archived = await newSpace()
    const closed = await begin(archive, archived)
    await world.call('PATCH', `/spaces/${archived}`, world.ada, { archived: true })
    await work()
    for (const begun of [left, closed]) expect(await read(begun)).to.include({ state: 'failed', pages: 0 })
    expect((await pagesIn(space)).size).to.equal(0)
  })

  it('makes nothing for who is put out of the org while it is read', async () => {
    const space = await newSpace()
    const carol = await newHuman(world.api, 'Carol')
    const org = await join(world, carol)
    const begun = await begin(zipped({ 'a.md': 'x' }), space, carol)
    const working = await inTransaction(world.api.db, 'read write', async (tx) => {
      await lockTree(tx, org.slice(org.lastIndexOf(':') + 1))
      const started = work()
      await untilWaitingForLocks(world.api.db, 1)
      await world.api.send('DELETE', `/v1/me/orgs/${org}/members/${carol.urn}`, { token: carol.token })
      return { done: started }
    })
    await working.done
    expect(await read(begun)).to.include({ state: 'failed', pages: 0 })
    expect((await pagesIn(space)).size).to.equal(0)
  })

  it('is undone as a whole, by who began it or a manager of the org, and comes back from the trash [spec w6.1:12]', async () => {
    const space = await newSpace()
    const done = await importAll(zipped({ 'one/two.md': 'x', 'three.md': '![[a.txt]]', 'a.txt': 'a' }), space)
    const dave = await newMember(world, 'Dave')
    expect((await undo(done, {}, dave)).status).to.equal(403)
    expect((await undo(done)).body).to.include({ state: 'undone', pages: 3 })
    expect((await pagesIn(space)).size).to.equal(0)
    expectCode(await undo(done, {}, world.ada), 409, 'workspace/import-state-conflict', 'import_state_conflict')
    const [event] = (await eventsOf(world, 'import.undone')).filter(({ payload }) => payload.entity_id === done.id)
    expect(event?.payload.data).to.deep.equal({ pages: 3, kept: 0 })
    const { items } = (await world.call('GET', `/pages?space=${space}&trash=true`)).body as unknown as { items: Page[] }
    const top = items.find(({ title }) => title === 'one')
    expect((await world.call('POST', `/pages/${top?.id}/restore`)).status).to.equal(200)
    expect([...(await pagesIn(space)).keys()].sort()).to.deep.equal(['one', 'two'])
  })

  it('leaves what somebody has written on since, and what is above that, if one says so', async () => {
    const space = await newSpace()
    const done = await importAll(
      zipped({
        ...{ 'six/seven.md': 'x', 'six/eight.md': 'x', 'nine.md': 'x', 'ten.md': 'x' },
        ...{ 'eleventh.md': '![[a.txt]]', 'a.txt': 'a' },
      }),
      space,
    )
    const pages = await pagesIn(space)
    await world.call('PATCH', `/pages/${pages.get('seven')?.id}`, world.ada, { text: 'mine' })
    await world.call('POST', '/comments', world.ada, { page: pages.get('ten')?.id, text: 'Why?' })
    const { items } = (await world.call('GET', `/attachments?page=${pages.get('eleventh')?.id}`)).body as unknown as {
      items: { id: string }[]
    }
    for (const file of items) expect((await world.replace(file, 'mine')).status).to.equal(200)
    expect(items).to.have.length(1)
    const reply = await undo(done)
    expectCode(reply, 409, 'workspace/import-edited', 'import_edited')
    expect(String(reply.body.detail)).to.include(pages.get('seven')?.short_id)
    expect((await pagesIn(space)).size).to.equal(6)
    expect((await undo(done, { keep_edited: true })).status).to.equal(200)
    expect([...(await pagesIn(space)).keys()].sort()).to.deep.equal(['eleventh', 'seven', 'six', 'ten'])
  })

  it('keeps no bytes of files that it refused, once the store is swept', async () => {
    const kept = await sql<{ id: string }>`select id from market.kept_blobs`.execute(world.api.db)
    const space = await newSpace()
    const damaged = patched(zipped({ 'a.bin': 'kept for now', 'b.md': 'x'.repeat(999) }), (bytes) => {
      bytes.writeUInt32LE(5, bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 1, 2])) + 16)
    })
    expect(await importAll(damaged, space)).to.include({ state: 'failed' })
    const after = await sql<{ id: string }>`select id from market.kept_blobs`.execute(world.api.db)
    // The archive itself is an attachment, and has a twin.
    expect(after.rows).to.have.length(kept.rows.length + 2)
  })
})
