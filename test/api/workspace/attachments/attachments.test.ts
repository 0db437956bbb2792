import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { pino } from 'pino'
import { openRpc } from '../../../../api/payments/chain/nodes.ts'
import { removeBlobs } from '../../../../api/platform/blobs/removeBlobs.ts'
import { purgeTrash } from '../../../../api/workspace/attachments/purge.ts'
import { sha256Hex } from '../../../../protocol/encoding/canonical.ts'
import type { Account } from '../../../kit/api/identity/accounts/owners.ts'
import { untilWaitingForLocks } from '../../../kit/api/platform/db/locks.ts'
import type { Reply } from '../../../kit/api/platform/http/api.ts'
import { passTime } from '../../../kit/api/trading.ts'
import { eventsOf, newMember } from '../../../kit/api/workspace/joining.ts'
import { zipOf } from '../../../kit/api/workspace/processing/archive.ts'
import {
  expectCode,
  sendForm,
  startWorkspace,
  type TestAttachment,
  type TestPage,
  type Workspace,
} from '../../../kit/api/workspace/world.ts'

const VERSE = 'Forty-two lines of verse.'
const DAY = 86_400
const SPREADSHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const OPEN_TEXT = 'application/vnd.oasis.opendocument.text'
const PDF = '%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n%%EOF'

describe('an attachment', () => {
  let world: Workspace
  before(async () => {
    world = await startWorkspace()
  })
  after(() => world.stop())

  const filed = ({ status, body }: Reply, expected = 200) => {
    expect(status, JSON.stringify(body)).to.equal(expected)
    return body as unknown as TestAttachment
  }
  const namesOn = async (page: TestPage, query = '') => {
    const { body } = await world.call('GET', `/attachments?page=${page.id}${query}`)
    return (body.items as TestAttachment[]).map(({ filename }) => filename)
  }
  const work = async () => {
    const silent = pino({ level: 'silent' })
    const services = { db: world.api.db, rpc: openRpc('http://127.0.0.1:9'), settings: world.api.settings, log: silent }
    await purgeTrash(services)
    await removeBlobs(services)
  }

  it('is uploaded by a form, and shown in the text of its page [spec w2:1 w4:23]', async () => {
    const page = await world.newPage('Notes')
    const made = filed(await world.upload({ page: page.short_id }, new File([VERSE], 'verse.txt')), 201)
    expect(made).to.deep.include({
      filename: 'verse.txt',
      state: 'active',
      version: 1,
      sha256: sha256Hex(VERSE),
      size_bytes: VERSE.length,
      media_type: 'text/plain',
      page_id: page.id,
      entry_id: null,
      created_by: world.ada.urn,
    })
    for (const ref of [made.id, made.short_id]) {
      expect((await world.call('GET', `/attachments/${ref}`)).body).to.deep.equal(made)
    }
    expect(await world.textOf(page)).to.equal('Notes\n![[verse.txt]]')
  })

  it('is referred to as asked, at a byte of the text [spec w2:3]', async () => {
    const page = await world.newPage('äöü')
    await world.upload({ page: page.id, insert: 'link', cursor: '2', filename: 'a.txt' })
    expect(await world.textOf(page)).to.equal('ä[[a.txt]]öü')
    await world.upload({ page: page.id, insert: 'none', filename: 'b.txt' })
    expect(await world.textOf(page)).to.equal('ä[[a.txt]]öü')
    await world.upload({ page: page.id, cursor: '1', filename: 'c.txt' })
    expect(await world.textOf(page)).to.equal('![[c.txt]]ä[[a.txt]]öü')
    await world.upload({ page: page.id, cursor: '9223372036854775807', filename: 'd.txt' })
    expect(await world.textOf(page)).to.equal('![[c.txt]]ä[[a.txt]]öü![[d.txt]]')
  })

  it('has a plain name, which is its alone on its page [spec w2:5 attacks:8]', async () => {
    const page = await world.newPage()
    const nameFor = async (filename: string) =>
      filed(await world.upload({ page: page.id, insert: 'none', filename }), 201).filename
    const names = {
      '../../etc/passwd': '.._.._etc_passwd',
      'C:\\x\\y.txt': 'C:_x_y.txt',
      'a\u202etxt.exe': 'atxt.exe',
      'e\u0301.txt': 'é.txt',
      'x]]![[y|z.txt': 'x))!((y_z.txt',
      '..': 'file',
      '. .': 'file (2)',
      'same.txt': 'same.txt',
      // A joiner is part of a word in Persian, and of an emoji, and hides in others.
      'می\u200cخواهم.txt': 'می\u200cخواهم.txt',
      '👩\u200d🌾.txt': '👩\u200d🌾.txt',
      'a\u200db\u200c.txt': 'ab.txt',
      'é\u200db.txt': 'éb.txt',
      '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}\u{e0041}.txt':
        '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}.txt',
    }
    for (const [given, kept] of Object.entries(names)) expect(await nameFor(given)).to.equal(kept)
    expect(await nameFor('same.txt')).to.equal('same (2).txt')
    expect(await nameFor('same.txt')).to.equal('same (3).txt')
    expect(await nameFor(`${'ü'.repeat(300)}.pdf`)).to.equal(`${'ü'.repeat(98)}.pdf`)
  })

  it('is told by its bytes, not by its name', async () => {
    const page = await world.newPage()
    const cases: [string | Buffer<ArrayBuffer>, string][] = [
      ['<script>alert(1)</script>', 'text/html'],
      ['  \n<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml'],
      ['GIF89a/*<script>', 'image/gif'],
      [Buffer.from([0, 1, 2, 255]), 'application/octet-stream'],
      ['%PDF-1.7', 'application/pdf'],
      ['', 'text/plain'],
      [Buffer.from('\ufeffA line', 'utf16le'), 'text/plain'],
      [Buffer.from('\ufeff<script>alert(1)</script>', 'utf16le'), 'text/html'],
      [Buffer.from('Größe und Café', 'latin1'), 'text/plain'],
      [Buffer.from('<script>"Größe"</script>', 'latin1'), 'text/html'],
      [Buffer.from('Größe \x81', 'latin1'), 'application/octet-stream'],
      [`${'x'.repeat(16_383)}ß`, 'text/plain'],
      [Buffer.from([0xff, 0xfe, 0, 0, 0, 0xd8, 1, 1]), 'application/octet-stream'],
      [zipOf({ 'password/notes.md': 'x', 'about word/ and xl/': 'x' }), 'application/zip'],
      [zipOf({ '[Content_Types].xml': 'x', 'xl/workbook.xml': 'x' }), SPREADSHEET],
      [
        zipOf({ 'docProps/thumbnail.jpeg': randomBytes(20_000), 'xl/workbook.xml': 'x', '[Content_Types].xml': 'x' }),
        SPREADSHEET,
      ],
      [zipOf({ mimetype: OPEN_TEXT, 'content.xml': '<a/>' }), OPEN_TEXT],
      [zipOf({ 'content.xml': '<a/>', mimetype: OPEN_TEXT }), OPEN_TEXT],
      [zipOf({ mimetype: 'x'.repeat(1_000_000), 'content.xml': '<a/>' }), 'application/zip'],
      [`\n${PDF}`, 'application/pdf'],
      [Buffer.from(`\ufeff${PDF}`), 'application/pdf'],
      [Buffer.from(`\0\x80 job\r\n${PDF}`, 'latin1'), 'application/pdf'],
      [`A file begins\n%PDF-1.7, and ends.`, 'text/plain'],
      [Buffer.from('\0\0\0\x1cftypmif1\0\0\0\0mif1avifmiaf', 'latin1'), 'image/avif'],
      [Buffer.from('\0\0\0\x18ftypmif1\0\0\0\0mif1heic', 'latin1'), 'image/heic'],
      [Buffer.from('II+\0\x08\0\0\0\x10\0\0\0', 'latin1'), 'image/tiff'],
      [Buffer.from('MM\0+\0\x08\0\0\0\0\0\0', 'latin1'), 'image/tiff'],
    ]
    for (const [content, type] of cases) expect((await world.attach(page, content, 'x.png')).media_type).to.equal(type)
  })

  it('belongs to an entry of its page, or to none [spec w2:4 w4:2]', async () => {
    const page = await world.newPage()
    const entry = (await world.call('POST', `/pages/${page.id}/entries`, world.ada, { text: 'One' })).body
    const elsewhere = await world.newPage()
    const made = filed(await world.upload({ page: page.id, entry: String(entry.short_id) }), 201)
    expect(made.entry_id).to.equal(entry.id)
    const { body } = await world.call('GET', `/attachments?entry=${entry.id}`)
    expect((body.items as TestAttachment[]).map(({ id }) => id)).to.deep.equal([made.id])
    expectCode(
      await world.upload({ page: elsewhere.id, entry: String(entry.id) }),
      404,
      'resource/not-found',
      'not_found',
    )
    const detached = filed(await world.call('PATCH', `/attachments/${made.id}`, world.ada, { entry: null }))
    expect(detached.entry_id).to.equal(null)
    const back = filed(await world.call('PATCH', `/attachments/${made.id}`, world.ada, { entry: entry.short_id }))
    expect(back.entry_id).to.equal(entry.id)
  })

  it('is renamed with the references to it, or without [spec w2:6 w4:24]', async () => {
    const page = await world.newPage()
    const made = filed(await world.upload({ page: page.id, filename: 'old.txt' }), 201)
    await world.call('PATCH', `/pages/${page.id}`, world.ada, {
      text: '![[old.txt|wide]] [[old.txt]] ![[other.txt]] old.txt',
    })
    const rename = (body: object) => world.call('PATCH', `/attachments/${made.short_id}`, world.ada, body)
    expect(filed(await rename({ filename: 'new.txt' })).filename).to.equal('new.txt')
    expect(await world.textOf(page)).to.equal('![[new.txt|wide]] [[new.txt]] ![[other.txt]] old.txt')
    await rename({ filename: 'newer.txt', update_references: false })
    expect(await world.textOf(page)).to.equal('![[new.txt|wide]] [[new.txt]] ![[other.txt]] old.txt')
    await world.upload({ page: page.id, insert: 'none', filename: 'taken.txt' })
    expect(filed(await rename({ filename: 'taken.txt' })).filename).to.equal('taken (2).txt')
    expect(filed(await rename({ filename: null, update_references: null })).filename).to.equal('taken (2).txt')
    // With a Cyrillic letter it looks the same, and in capitals it is the same where case is not told apart.
    expect(filed(await rename({ filename: 't\u0430ken.txt' })).filename).to.equal('t\u0430ken (2).txt')
    expect(filed(await rename({ filename: 'TAKEN.txt' })).filename).to.equal('TAKEN (2).txt')
    expect(filed(await rename({ filename: 'Taken (2).txt' })).filename, 'its own name').to.equal('Taken (2).txt')
  })

  it('moves to another page, under a name that is free there, without its entry', async () => {
    const { id: space } = (await world.call('POST', '/spaces', world.ada, { name: 'Hidden', visibility: 'private' }))
      .body
    const from = await world.newPage('![[plan.txt]]')
    const to = (await world.call('POST', '/pages', world.ada, { space, title: 'To', text: '[[plan.txt]]' })).body
    const entry = (await world.call('POST', `/pages/${from.id}/entries`, world.ada, { text: 'One' })).body
    const made = await world.attach(from, 'avocetary', 'plan.txt')
    const change = (body: object, by = world.ada) => world.call('PATCH', `/attachments/${made.id}`, by, body)
    filed(await change({ entry: String(entry.id) }))
    await world.attach(to as unknown as TestPage, 'other', 'plan.txt')
    const moved = filed(await change({ page: String(to.short_id) }))
    expect(moved).to.deep.include({ page_id: to.id, filename: 'plan (2).txt', entry_id: null, short_id: made.short_id })
    expect([await namesOn(from), await namesOn(to as unknown as TestPage)]).to.deep.equal([
      [],
      ['plan.txt', 'plan (2).txt'],
    ])
    // The page that it left says what it said.
    expect(await world.textOf(from)).to.equal('![[plan.txt]]')
    expect((await world.call('GET', `/pages/${from.id}`)).body.rendered_text).to.equal('[missing attachment: plan.txt]')
    expectCode(await change({ page: String(to.id), entry: String(entry.id) }), 404, 'resource/not-found', 'not_found')
    const bob = await newMember(world, 'Bob')
    const seenBy = async (by: Account) => {
      const hits = (await world.call('GET', '/search?q=plan&type=attachment', by)).body.items as { id: string }[]
      return hits.some(({ id }) => id === made.id)
    }
    expect([await seenBy(world.ada), await seenBy(bob)]).to.deep.equal([true, false])
    expectCode(await change({ page: from.id }, bob), 404, 'resource/not-found', 'not_found')
    expect(filed(await change({ page: from.id, filename: 'plan b.txt' }))).to.include({ filename: 'plan b.txt' })
    expect(await seenBy(bob)).to.equal(true)
    // He may not put it where he does not see.
    expectCode(await change({ page: String(to.id) }, bob), 404, 'resource/not-found', 'not_found')
    const events = await eventsOf(world, 'attachment.updated')
    const told = events.map(({ payload }) => payload)
    expect(
      told
        .filter(({ entity_id }) => entity_id === made.id)
        .slice(-2)
        .map(({ space_id, data }) => [space_id, data]),
    ).to.deep.equal([
      [space, { page_id: to.id, renamed: true, entry_id: null, from_page_id: from.id }],
      // Whoever reads of it in an open space learns nothing of a private one.
      [from.space_id, { page_id: from.id, renamed: true, entry_id: null, from_page_id: null }],
    ])
    await world.call('DELETE', `/attachments/${made.id}`)
    expectCode(await change({ page: String(to.id) }), 409, 'workspace/attachment-trashed', 'attachment_trashed')
    await world.call('POST', `/attachments/${made.id}/restore`)
  })

  it('moves both ways at once between two pages, and is on one of them', async () => {
    const [one, two] = [await world.newPage(), await world.newPage()]
    const [first, second] = [await world.attach(one, 'a', 'a.txt'), await world.attach(two, 'b', 'b.txt')]
    const moves = [0, 1, 2, 3].flatMap((turn) => [
      world.call('PATCH', `/attachments/${first.id}`, world.ada, { page: turn % 2 ? one.id : two.id }),
      world.call('PATCH', `/attachments/${second.id}`, world.ada, { page: turn % 2 ? two.id : one.id }),
    ])
    for (const { status } of await Promise.all(moves)) expect([200, 409]).to.include(status)
    const names = [...(await namesOn(one)), ...(await namesOn(two))]
    expect(names.sort()).to.deep.equal(['a.txt', 'b.txt'])
  })

  it('keeps its name and short id with new bytes, and every version [spec w3:2 w4:13]', async () => {
    const made = await world.attach(await world.newPage(), 'one')
    const put = (raw: string) => world.replace(made, raw)
    const second = filed(await put('two'))
    expect(second).to.deep.include({ short_id: made.short_id, filename: made.filename, version: 2 })
    expect(second.sha256).to.equal(sha256Hex('two'))
    const versions = async () => {
      const { body } = await world.call('GET', `/attachments/${made.id}/versions`)
      return (body as unknown as { number: number; is_current: boolean; sha256: string }[]).map((version) => ({
        ...{ number: version.number, is_current: version.is_current, sha256: version.sha256 },
      }))
    }
    expect(await versions()).to.deep.equal([
      { number: 2, is_current: true, sha256: sha256Hex('two') },
      { number: 1, is_current: false, sha256: sha256Hex('one') },
    ])
    const back = filed(await world.call('POST', `/attachments/${made.id}/versions/1/restore`))
    expect(back).to.deep.include({ version: 3, sha256: sha256Hex('one') })
    expect((await versions()).map(({ number }) => number)).to.deep.equal([3, 2, 1])
    const none = await world.call('POST', `/attachments/${made.id}/versions/9/restore`)
    expectCode(none, 404, 'resource/not-found', 'not_found')
  })

  it('goes to the trash, comes back, and is gone after its days there [spec w2:14 w3:1 w4:3]', async () => {
    const page = await world.newPage()
    const made = filed(
      await world.upload({ page: page.id, filename: 'gone.txt' }, new File(['g'.repeat(99)], 'x')),
      201,
    )
    const used = await world.usedBytes()
    const trashed = filed(await world.call('DELETE', `/attachments/${made.id}`))
    expect(trashed.state).to.equal('trashed')
    const shown = async () => String((await world.call('GET', `/pages/${page.id}`)).body.rendered_text)
    expect(await shown()).to.equal('[missing attachment: gone.txt]')
    expect(await world.textOf(page)).to.equal('![[gone.txt]]')
    expect(await namesOn(page)).to.deep.equal([])
    expect(await namesOn(page, '&trash=true')).to.deep.equal(['gone.txt'])
    for (const [method, path, body] of [
      ['DELETE', ''],
      ['PATCH', '', { filename: 'x' }],
      ['POST', '/versions/1/restore'],
    ] as const) {
      const reply = await world.call(method, `/attachments/${made.id}${path}`, world.ada, body)
      expectCode(reply, 409, 'workspace/attachment-trashed', 'attachment_trashed')
    }
    const restore = () => world.call('POST', `/attachments/${made.id}/restore`)
    expect(filed(await restore()).state).to.equal('active')
    expectCode(await restore(), 409, 'workspace/attachment-not-trashed', 'attachment_not_trashed')
    expect(await shown()).to.equal('![[gone.txt]]')
    await world.call('DELETE', `/attachments/${made.id}`)
    await passTime(world.api, world.api.settings.rules.trashDays * DAY - 60)
    await work()
    expect(await world.usedBytes()).to.equal(used)
    await passTime(world.api, 61)
    expectCode(await restore(), 409, 'workspace/attachment-not-trashed', 'attachment_not_trashed')
    const stored = await world.storedFiles()
    await work()
    expectCode(await world.call('GET', `/attachments/${made.id}`), 404, 'resource/not-found', 'not_found')
    expect(await world.usedBytes()).to.equal(used - 99)
    expect(await world.storedFiles()).to.equal(stored - 1)
  })

  it('is deleted for good from the trash, alone or with all that is there, and its room is free at once', async () => {
    const { rules } = world.api.settings
    const { maxOrgBytes } = rules
    const [page, gone] = [await world.newPage(), await world.newPage()]
    const [one, two, three] = ['1', '2', '3'].map((letter) => letter.repeat(1_000)) as [string, string, string]
    const [first, second] = [await world.attach(page, one), await world.attach(page, two)]
    await world.attach(gone, three)
    const used = await world.usedBytes()
    const purge = () => world.call('POST', `/attachments/${first.id}/purge`)
    expectCode(await purge(), 409, 'workspace/attachment-not-trashed', 'attachment_not_trashed')
    for (const { id } of [first, second]) filed(await world.call('DELETE', `/attachments/${id}`))
    await world.call('DELETE', `/pages/${gone.id}`)
    try {
      // A form is longer than its file, by less than this.
      rules.maxOrgBytes = used + 900
      const fill = (letter: string) =>
        world.upload({ page: page.id, insert: 'none' }, new File([letter.repeat(1_000)], 'x'))
      const full = async () => expectCode(await fill('z'), 413, 'workspace/quota-exceeded', 'quota_exceeded')
      await full()
      expect((await purge()).status).to.equal(204)
      expectCode(await purge(), 404, 'resource/not-found', 'not_found')
      filed(await fill('a'), 201)
      await full()
      // What is in the trash of the org's twin is left alone: the database refuses to remove it.
      const twin = await sql`update market.attachments
        set trashed_at = market.now(), purge_at = market.now() + interval '9 years'
        where id = overlay(${second.id} placing '8' from 15)::uuid`.execute(world.api.db)
      expect(twin.numAffectedRows).to.equal(1n)
      const emptied = await world.call('POST', '/trash/empty')
      expect(emptied.body.has_more).to.equal(false)
      expect(emptied.body.attachments).to.be.at.least(2)
      expect(emptied.body.pages).to.be.at.least(1)
      for (const letter of ['b', 'c']) filed(await fill(letter), 201)
      const again = await world.call('POST', '/trash/empty')
      expect(again.body).to.deep.equal({ attachments: 0, pages: 0, has_more: false })
      expectCode(await world.call('POST', `/pages/${gone.id}/restore`), 404, 'resource/not-found', 'not_found')
    } finally {
      Object.assign(rules, { maxOrgBytes })
    }
    const { rows } = await sql<{ type: string; audited: boolean }>`select event_type as type, exists (
        select from market.audit_log entry where entry.action = event_type
          and entry.details->>(payload->>'entity_type' || '_id') = payload->>'entity_id') as audited
      from market.events where payload->>'entity_id' in (${first.id}, ${gone.id}) and event_type like '%.purged'
      order by event_type`.execute(world.api.db)
    expect(rows).to.deep.equal([
      { type: 'attachment.purged', audited: true },
      { type: 'page.purged', audited: true },
    ])
  })

  it('loses an old version for good, and not the current one', async () => {
    const made = await world.attach(await world.newPage(), 'o'.repeat(500))
    const put = await world.replace(made, 'new')
    expect(put.status).to.equal(200)
    const used = await world.usedBytes()
    const drop = (number: number) => world.call('DELETE', `/attachments/${made.id}/versions/${number}`)
    expectCode(await drop(2), 409, 'workspace/version-current', 'version_current')
    expect((await drop(1)).status).to.equal(204)
    expectCode(await drop(1), 404, 'resource/not-found', 'not_found')
    expect(await world.usedBytes()).to.equal(used - 500)
    const restored = await world.call('POST', `/attachments/${made.id}/versions/1/restore`)
    expectCode(restored, 404, 'resource/not-found', 'not_found')
    expect(filed(await world.call('GET', `/attachments/${made.id}`)).version).to.equal(2)
  })

  it('loses a version once to two who delete it at once: to the second it is as nothing', async () => {
    const made = await world.attach(await world.newPage(), 'old')
    await world.call('POST', `/attachments/${made.id}/versions/1/restore`)
    const drops = await world.api.db.transaction().execute(async (tx) => {
      await sql`select from market.attachments where id = ${made.id} for update`.execute(tx)
      const both = [1, 2].map(() => world.call('DELETE', `/attachments/${made.id}/versions/1`))
      await untilWaitingForLocks(world.api.db, 2)
      return both
    })
    const [first, second] = (await Promise.all(drops)).sort((one, other) => one.status - other.status)
    expect(first?.status).to.equal(204)
    expectCode(second as Reply, 404, 'resource/not-found', 'not_found')
  })

  it('is deleted for good by who attached it and by owners and admins, and by no agent', async () => {
    const made = await world.attach(await world.newPage(), 'mine')
    await world.call('POST', `/attachments/${made.id}/versions/1/restore`)
    const member = await newMember(world, 'Member')
    const ways: [string, string][] = [
      ['DELETE', `/attachments/${made.id}/versions/1`],
      ['POST', `/attachments/${made.id}/purge`],
      ['POST', '/trash/empty'],
    ]
    const refused = async () => {
      for (const by of [member, world.agent])
        for (const [method, path] of ways) expect((await world.call(method, path, by)).status, path).to.equal(403)
    }
    const may = async (path: string, by?: Account) => {
      const body: unknown = (await world.call('GET', path, by)).body
      return [body].flat().map((thing) => (thing as { may: string[] }).may)
    }
    const of = `/attachments/${made.id}`
    await refused()
    expect(await may(`${of}/versions`)).to.deep.equal([[], ['restore', 'delete']])
    expect(await may(`${of}/versions`, member)).to.deep.equal([[], ['restore']])
    expect(await may(of, member)).to.deep.equal([['update', 'replace', 'trash']])
    await world.call('DELETE', of)
    await refused()
    expect(filed(await world.call('GET', of)).state).to.equal('trashed')
    for (const by of [member, world.agent]) expect(await may(of, by)).to.deep.equal([['restore']])
    expect(await may(of)).to.deep.equal([['restore', 'purge']])
    expect(await may(`${of}/versions`)).to.deep.equal([[], []])
    const own = filed(await world.upload({ page: made.page_id, insert: 'none' }, undefined, member), 201)
    await world.call('DELETE', `/attachments/${own.id}`, member)
    expect((await world.call('POST', `/attachments/${own.id}/purge`, member)).status).to.equal(204)
  })

  it('is listed newest first, by page, entry, name and trash, page by page [spec w2:7 w4:1 w8:1]', async () => {
    const page = await world.newPage()
    const made = []
    for (const name of ['a', 'b', 'c']) made.push((await world.attach(page, name, `${name}.txt`)).filename)
    expect(await namesOn(page)).to.deep.equal(made.toReversed())
    expect(await namesOn(page, '&name=b.txt')).to.deep.equal(['b.txt'])
    const first = (await world.call('GET', `/attachments?page=${page.id}&limit=2`)).body
    expect((first.items as unknown[]).length).to.equal(2)
    expect(await namesOn(page, `&limit=2&cursor=${first.next_cursor}`)).to.deep.equal(['a.txt'])
    for (const query of ['?name=a.txt', '?limit=201', '?cursor=x', '?trash=maybe', '?page=x']) {
      expectCode(await world.call('GET', `/attachments${query}`), 400, 'request/invalid', 'invalid')
    }
  })

  it('is stored once in an org however often it is attached, and never shared with another org', async () => {
    const content = `same ${Math.random()}`
    const used = await world.usedBytes()
    const made = await world.attach(await world.newPage(), content)
    const again = await world.attach(await world.newPage(), content)
    expect(again.sha256).to.equal(made.sha256)
    expect(await world.usedBytes()).to.equal(used + content.length)
    await work()
    const files = world.api.db.selectFrom('market.files').where('sha256', '=', made.sha256)
    // The other is of the org's twin.
    expect(await files.select('id').execute()).to.have.length(2)
  })

  it('is not taken beyond the size and the quota, even when many come at once [spec w4:4 w7:1] [risk API4]', async () => {
    const { rules } = world.api.settings
    const { maxFormUploadBytes, maxOrgBytes } = rules
    const page = await world.newPage()
    const stored = await world.storedFiles()
    try {
      rules.maxFormUploadBytes = 10_000
      const large = await world.upload({ page: page.id }, new File(['x'.repeat(10_001)], 'x'))
      expectCode(large, 413, 'workspace/file-too-large', 'file_too_large')
      expect(await world.storedFiles()).to.equal(stored)
      rules.maxOrgBytes = (await world.usedBytes()) + 25_000
      const files = ['a', 'b', 'c', 'd', 'e'].map((letter) => new File([letter.repeat(10_000)], `${letter}.txt`))
      const replies = await Promise.all(files.map((file) => world.upload({ page: page.id, insert: 'none' }, file)))
      expect(replies.map(({ status }) => status).sort()).to.deep.equal([201, 201, 413, 413, 413])
      for (const reply of replies.filter(({ status }) => status === 413)) {
        expectCode(reply, 413, 'workspace/quota-exceeded', 'quota_exceeded')
      }
      expect(await namesOn(page)).to.have.length(2)
    } finally {
      Object.assign(rules, { maxFormUploadBytes, maxOrgBytes })
    }
  })

  it('is refused with a form that does not fit, and nothing is kept [spec w2:2]', async () => {
    const page = await world.newPage()
    const url = `${world.api.baseUrl}/orgs/${world.slug}/attachments`
    const file = new File(['x'], 'x.txt')
    const post = (...parts: [string, string | File][]) => sendForm(url, world.ada.token, parts)
    const stored = await world.storedFiles()
    const cases: [Promise<Reply>, string][] = [
      [post(['file', file]), 'page'],
      [post(['page', page.id]), 'file'],
      [post(['page', page.id], ['file', file], ['insert', 'none']), 'insert'],
      [post(['page', page.id], ['page', page.id], ['file', file]), 'page'],
      [post(['page', page.id], ['file', file], ['file', file]), 'file'],
      [post(['page', page.id], ['insert', 'all'], ['file', file]), 'insert'],
      [post(['page', page.id], ['cursor', '-1'], ['file', file]), 'cursor'],
      [post(['page', page.id], ['colour', 'red'], ['file', file]), 'colour'],
    ]
    for (const [reply, field] of cases) {
      const { status, body } = await reply
      expect({ status, field: body.field, code: body.code }).to.deep.equal({ status: 400, field, code: 'invalid' })
    }
    expect(await namesOn(page)).to.deep.equal([])
    expect(await world.storedFiles()).to.equal(stored)
    const json = await world.call('POST', '/attachments', world.ada, { page: page.id })
    expectCode(json, 415, 'request/unsupported-media-type', 'unsupported_media_type')
  })

  it('says of a form whose file comes first that the fields come before it', async () => {
    const page = await world.newPage()
    const form = new FormData()
    form.append('file', new File(['late'], 'late.txt'))
    form.append('page', page.id)
    const response = await fetch(`${world.api.baseUrl}/orgs/${world.slug}/attachments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.ada.token}` },
      body: form,
    })
    expect(response.status).to.equal(400)
    expect(await response.json()).to.include({
      field: 'page',
      detail: 'page: is missing before file: the fields of a form come first.',
    })
    expect(await namesOn(page)).to.deep.equal([])
  })

  it('is attached once by a call that is repeated with its key, and another file is refused with that key', async () => {
    const page = await world.newPage()
    const send = async (content: string) => {
      const form = new FormData()
      form.append('page', page.id)
      form.append('file', new File([content], 'once.txt'))
      const headers = { authorization: `Bearer ${world.ada.token}`, 'idempotency-key': `key-${page.id}` }
      const response = await fetch(`${world.api.baseUrl}/orgs/${world.slug}/attachments`, {
        method: 'POST',
        headers,
        body: form,
      })
      return { status: response.status, body: (await response.json()) as { id?: string; code?: string } }
    }
    const first = await send('one')
    expect(first.status).to.equal(201)
    expect(await send('one')).to.deep.equal(first)
    expect(await send('two')).to.deep.include({ status: 409 })
    expect(await namesOn(page)).to.deep.equal(['once.txt'])
  })

  it('is for members of its org and their agents, and to others as if it were not there', async () => {
    const page = await world.newPage()
    const made = await world.attach(page, VERSE)
    expect((await world.call('GET', `/attachments/${made.id}`, world.agent)).status).to.equal(200)
    expect((await world.upload({ page: page.id, insert: 'none' }, undefined, world.agent)).body.created_by).to.equal(
      world.agent.urn,
    )
    const acts: [string, string, object?][] = [
      ['GET', `/attachments/${made.id}`],
      ['GET', '/attachments'],
      ['PATCH', `/attachments/${made.id}`, { filename: 'x' }],
      ['DELETE', `/attachments/${made.id}`],
      ['POST', `/attachments/${made.id}/restore`],
      ['GET', `/attachments/${made.id}/versions`],
      ['GET', '/usage'],
      ['GET', `/pages/${page.id}`],
    ]
    for (const [method, path, body] of acts) {
      expectCode(await world.call(method, path, world.stranger, body), 404, 'resource/not-found', 'not_found')
    }
    expectCode(await world.upload({ page: page.id }, undefined, world.stranger), 404, 'resource/not-found', 'not_found')
  })

  it('ignores Market-Version', async () => {
    const reply = await world.api.send('GET', `/orgs/${world.slug}/usage`, {
      token: world.ada.token,
      headers: { 'market-version': 'whatever' },
    })
    expect(reply.status).to.equal(200)
  })

  it('tells of itself in the event log, without what people wrote [spec w6.1:1] [risk API3]', async () => {
    const page = await world.newPage()
    const made = filed(await world.upload({ page: page.id, filename: 'secret-name.txt' }), 201)
    await world.call('PATCH', `/attachments/${made.id}`, world.ada, { filename: 'x.txt' })
    await world.call('DELETE', `/attachments/${made.id}`)
    await world.call('POST', `/attachments/${made.id}/restore`)
    const rows = await world.api.db.selectFrom('market.events').selectAll().orderBy('id').execute()
    const own = rows.filter(({ payload }) => (payload as { entity_id?: string }).entity_id === made.id)
    expect(own.map(({ event_type }) => event_type)).to.deep.equal([
      'attachment.created',
      'attachment.updated',
      'attachment.deleted',
      'attachment.restored',
    ])
    expect(own[0]?.payload).to.deep.include({
      entity_type: 'attachment',
      short_id: made.short_id,
      space_id: page.space_id,
      actor_id: world.ada.id,
      via: 'api',
    })
    expect(JSON.stringify(own.map(({ payload }) => payload))).to.not.include('secret-name')
  })
})
