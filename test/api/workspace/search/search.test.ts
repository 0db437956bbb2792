import { readFile } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { pino } from 'pino'
import { openRpc } from '../../../../api/payments/chain/nodes.ts'
import { processFiles } from '../../../../api/workspace/processing/process.ts'
import { findHits } from '../../../../api/workspace/search/internal/find.ts'
import { openPlanned } from '../../../kit/api/platform/db/plans.ts'
import { newMember } from '../../../kit/api/workspace/joining.ts'
import { expectCode, startWorkspace, type Workspace } from '../../../kit/api/workspace/world.ts'

interface Hit {
  type: string
  id: string
  title: string
  page_id: string | null
  task_id: string | null
  snippet: string
  offset: number | null
}

describe('a search in an org', () => {
  let world: Workspace
  before(async () => {
    world = await startWorkspace()
  })
  after(() => world.stop())

  const process = () =>
    processFiles({
      ...{ db: world.api.db, rpc: openRpc('http://127.0.0.1:9'), settings: world.api.settings },
      log: pino({ level: 'silent' }),
    })
  const search = async (query: string, by = world.ada) => {
    const { status, body } = await world.call('GET', `/search?${query}`, by)
    expect(status, JSON.stringify(body)).to.equal(200)
    return body as unknown as { items: Hit[]; next_cursor: string | null }
  }
  const namesFor = async (q: string) => (await search(`q=${encodeURIComponent(q)}`)).items.map(({ title }) => title)
  const attach = async (content: string, name: string) => world.attach(await world.newPage(), content, name)

  it('says which attachment has the words, and where', async () => {
    await attach('Nothing of the kind.', 'other.txt')
    const made = await attach(`${'filler '.repeat(10_000)}\nThe quick heron walks along the river.`, 'birds.txt')
    await process()
    const { items } = await search('q=herons%20walking', world.agent)
    expect(items.map(({ type, id }) => [type, id])).to.deep.equal([['attachment', made.id]])
    const [hit] = items
    expect(hit?.snippet).to.include('quick heron walks')
    const { body } = await world.call('GET', `/attachments/${made.id}/text?offset=${hit?.offset}&limit=100000`)
    expect(body.text).to.include('quick heron walks')
    expect(hit?.offset).to.be.above(0)
  })

  it('finds words of a language that is written without spaces, and shows where', async () => {
    const text = `${'春眠不觉晓处处闻啼鸟'.repeat(40)}我们在北京大学读书。`
    await attach(text, '诗歌.txt')
    await process()
    const { items } = await search(`q=${encodeURIComponent('北京')}`)
    expect(items.map(({ title }) => title)).to.deep.equal(['诗歌.txt'])
    expect(items[0]?.snippet).to.include('北京大学').and.to.have.length.below(401)
    expect(await namesFor('诗歌')).to.deep.equal(['诗歌.txt'])
    const longest = Array.from({ length: 200_000 }, (_, index) =>
      String.fromCodePoint(0x20000 + ((index * 7919) % 60_000)),
    )
    const page = await world.newPage(longest.join(''))
    expect(
      (await search(`q=${encodeURIComponent(longest.slice(0, 3).join(''))}`)).items.map(({ id }) => id),
    ).to.include(page.id)
  })

  it('shows whole characters, wherever the passage is cut', async () => {
    const characters = ['👨‍👩‍👧‍👦', 'e\u0301', '🇩🇪', '👍🏽', 'क्षि', '한', '❤️']
    for (const [index, character] of characters.entries()) {
      for (const gap of ['', ' ', 'x']) {
        const text = `${gap}${character.repeat(300)} kittiwake${index} ${character.repeat(300)}`
        await world.newPage(text)
        await world.newPage(`kittiwake${index} ${character.repeat(300)}`)
      }
      const { items } = await search(`q=kittiwake${index}`)
      expect(items).to.have.length(6)
      const whole = new Intl.Segmenter()
      for (const { snippet } of items) {
        const rest = [...whole.segment(snippet)].map(({ segment }) => segment)
        const allowed = [character, ' ', 'x', ...`kittiwake${index}`]
        expect(
          rest.filter((each) => !allowed.includes(each)),
          JSON.stringify(snippet),
        ).to.deep.equal([])
        expect(snippet).to.include(`kittiwake${index}`)
      }
    }
    const { items } = await search(`q=${encodeURIComponent('👨‍👩‍👧‍👦')}`)
    expect(items).to.have.length(6)
  })

  it('finds the symbols of what was written before they were in the index', async () => {
    const page = await world.newPage('Older than the index 🦤')
    const { api } = world
    await sql`update market.search_documents set search = ts_delete(search, array['🦤'])`.execute(api.db)
    expect((await search(`q=${encodeURIComponent('🦤')}`)).items).to.have.length(0)
    const url = new URL('../../../../api/migrations/1.0.0-rc.2/0021_symbols.sql', import.meta.url)
    await sql.raw(await readFile(url, 'utf8')).execute(api.db)
    expect((await search(`q=${encodeURIComponent('🦤')}`)).items.map(({ id }) => id)).to.deep.equal([page.id])
  })

  it('knows phrases, what to leave out, and words that are none', async () => {
    await attach('A lighthouse keeper writes.', 'one.txt')
    await attach('The keeper of a lighthouse sleeps.', 'two.txt')
    await process()
    expect(await namesFor('lighthouse')).to.deep.equal(['two.txt', 'one.txt'])
    expect(await namesFor('"lighthouse keeper"')).to.deep.equal(['one.txt'])
    expect(await namesFor('lighthouse -sleeping')).to.deep.equal(['one.txt'])
    for (const none of ['the', "'; drop table", ':*&|!', 'zzzz']) expect(await namesFor(none), none).to.deep.equal([])
    for (const query of ['', 'q=', 'q=%20', `q=${'x'.repeat(201)}`, 'q=x&limit=51']) {
      expectCode(await world.call('GET', `/search?${query}`), 400, 'request/invalid', 'invalid')
    }
  })

  it('finds the text that is current, and none in the trash', async () => {
    const made = await attach('An obsolete walrus.', 'animal.txt')
    await process()
    await world.replace(made, 'A contemporary narwhal.')
    await process()
    expect([await namesFor('walrus'), await namesFor('narwhal')]).to.deep.equal([[], ['animal.txt']])
    await world.call('DELETE', `/attachments/${made.id}`)
    expect(await namesFor('narwhal')).to.deep.equal([])
    await world.call('POST', `/attachments/${made.id}/restore`)
    expect(await namesFor('narwhal')).to.deep.equal(['animal.txt'])
  })

  it('lists each attachment once, newest first, page by page', async () => {
    const made: string[] = []
    for (const name of ['a', 'b', 'c']) made.push((await attach(`A pelican ${name}.`.repeat(9_000), `${name}.txt`)).id)
    await process()
    const first = await search('q=pelican&limit=2')
    const second = await search(`q=pelican&limit=2&cursor=${first.next_cursor}`)
    const found = [...first.items, ...second.items].map(({ id }) => id)
    expect([found, second.next_cursor]).to.deep.equal([made.toReversed(), null])
    expectCode(
      await world.call('GET', `/search?q=other&cursor=${first.next_cursor}`),
      400,
      'request/invalid',
      'invalid',
    )
  })

  it('finds an attachment by the words of its name, as far as its page is seen, and once', async () => {
    const page = await world.newPage()
    const made = await world.attach(page, Buffer.from([0, 1, 2, 255]), 'Q3_report-final.v2.pdf')
    for (const query of [
      'reports',
      'q3',
      'report final',
      'q3_report-final',
      'Q3_report-final.v2.pdf',
      'report-final',
      'v2',
    ])
      expect(await namesFor(query), query).to.deep.equal(['Q3_report-final.v2.pdf'])
    const [hit] = (await search('q=q3&type=attachment')).items
    expect(hit).to.include({ id: made.id, page_id: page.id, offset: null, snippet: 'Q3_report-final.v2.pdf' })
    const text = await world.attach(page, 'A quetzal. Its feathers are a report.', 'quetzal.txt')
    await process()
    const both = (await search('q=quetzal')).items
    expect(both.map(({ id, offset }) => [id, offset])).to.deep.equal([[text.id, 0]])
    expect(await namesFor('report')).to.deep.equal(['Q3_report-final.v2.pdf', 'quetzal.txt'])

    const rename = (filename: string) => world.call('PATCH', `/attachments/${made.id}`, world.ada, { filename })
    await rename('ibis.pdf')
    expect([await namesFor('q3'), await namesFor('ibis')]).to.deep.equal([[], ['ibis.pdf']])
    await world.call('DELETE', `/attachments/${made.id}`)
    await world.call('DELETE', `/pages/${page.id}`)
    expect([await namesFor('ibis'), await namesFor('quetzal')]).to.deep.equal([[], []])
    await world.call('POST', `/pages/${page.id}/restore`)
    expect([await namesFor('ibis'), await namesFor('quetzal')]).to.deep.equal([[], ['quetzal.txt']])
    await world.call('POST', `/attachments/${made.id}/restore`)
    expect(await namesFor('ibis')).to.deep.equal(['ibis.pdf'])
  })

  it('is for members alone, and finds nothing of another org', async () => {
    await attach('A confidential albatross.', 'bird.txt')
    await process()
    const denied = await world.call('GET', '/search?q=albatross', world.stranger)
    expectCode(denied, 404, 'resource/not-found', 'not_found')
    const slug = `theirs-${Date.now()}`
    await world.api.send('POST', '/v1/me/orgs', { token: world.stranger.token, body: { slug, display_name: 'Theirs' } })
    const theirs = await world.api.send('GET', `/orgs/${slug}/search?q=albatross`, { token: world.stranger.token })
    expect(theirs.body).to.deep.equal({ items: [], next_cursor: null, corrected_query: null })
  })

  it('goes by the indexes of words, among many pages and attachments', async () => {
    const { db } = world.api
    const {
      org_id,
      space_id,
      id: page_id,
    } = await db.selectFrom('market.pages').select(['id', 'org_id', 'space_id']).limit(1).executeTakeFirstOrThrow()
    const id = sql`('00000000-0000-7000-8000-' || lpad(number::text, 12, '0'))::uuid`
    await sql`with numbers as (select number from generate_series(1, 4000) number),
      pages as (insert into market.pages (id, short_id, org_id, space_id, title, text, created_by)
        select ${id}, lpad(number::text, 10, '0'), ${org_id}, ${space_id}, 'Page', 'word' || number, 'x' from numbers),
      made as (insert into market.files (id, org_id, sha256, size_bytes, text_state, preview_state)
        select ${id}, ${org_id}, lpad(number::text, 64, '0'), 1, 'ready', 'unsupported' from numbers),
      texts as (insert into market.file_texts (file_id, org_id, first_character, characters, text)
        select ${id}, ${org_id}, 0, 9, 'word' || number from numbers),
      attached as (insert into market.attachments (id, short_id, org_id, page_id, filename, created_by)
        select ${id}, lpad(number::text, 10, '0'), ${org_id}, ${page_id}, number::text, 'x' from numbers)
      insert into market.attachment_versions (attachment_id, number, file_id, media_type, created_by)
      select ${id}, 1, ${id}, 'text/plain', 'x' from numbers`.execute(db)
    await sql`analyze market.files, market.file_texts, market.attachments, market.attachment_versions, market.pages,
      market.search_documents`.execute(db)
    const planned = openPlanned(world.api.databaseUrl)
    const reader = { orgId: org_id, humanId: world.ada.id, role: 'member' } as const
    const wanted = { text: 'word1234', type: undefined, spaceId: undefined }
    const plans = await planned.plansOf((tx) => findHits(tx, reader, wanted, { from: undefined, limit: 20 }))
    await planned.db.destroy()
    for (const index of ['file_texts_search', 'search_documents_search', 'search_documents_by_title'])
      expect(plans.join('\n')).to.include(index)
  })

  const write = async (path: string, body: object, by = world.ada) => {
    const reply = await world.call('POST', path, by, body)
    expect(reply.status, JSON.stringify(reply.body)).to.equal(201)
    return String(reply.body.id)
  }
  const hitsFor = async (query: string, by = world.ada) =>
    (await search(`q=${query}`, by)).items.map(({ type, id }) => `${type} ${id}`)
  const newSpace = (visibility: string) => write('/spaces', { name: 'Plans', visibility })

  it('finds pages, entries, tasks, comments and attachments, each with where it is', async () => {
    const space = await newSpace('open')
    const page = await write('/pages', { space, title: 'Waders', text: 'The avocet wades.' })
    const entry = await write(`/pages/${page}/entries`, { text: 'Avocets again.' })
    const task = await write('/tasks', { space, title: 'Count the avocets' })
    const onPage = await write('/comments', { page, text: 'Is it an avocet?' })
    const onTask = await write('/comments', { task, text: 'Two avocets.' })
    const upload = await world.upload({ page, insert: 'none' }, new File(['A list: avocet.'], 'list.txt'))
    const file = upload.body
    await process()
    const { items } = await search('q=avocet')
    const shown = items.map(({ type, id, title, page_id, task_id }) => [type, id, title, page_id, task_id])
    expect(shown).to.have.deep.members([
      ['page', page, 'Waders', page, null],
      ['entry', entry, 'Waders', page, null],
      ['task', task, 'Count the avocets', null, task],
      ['comment', onPage, 'Waders', page, null],
      ['comment', onTask, 'Count the avocets', null, task],
      ['attachment', file.id, 'list.txt', page, null],
    ])
    // The word in a title comes first.
    expect(items[0]?.id).to.equal(task)
    expect(items.find(({ id }) => id === page)?.snippet).to.equal('avocet wades')
    for (const type of ['page', 'entry', 'task', 'attachment'])
      expect(await hitsFor(`avocet&type=${type}`)).to.have.lengthOf(1)
    expect(await hitsFor(`avocet&type=comment&space=${space}`)).to.have.members(
      [onPage, onTask].map((id) => `comment ${id}`),
    )
    expect(await hitsFor(`avocet&space=${await newSpace('open')}`)).to.deep.equal([])
    expect((await world.call('GET', '/search?q=avocet&type=secret')).status).to.equal(400)

    await world.call('PATCH', `/pages/${page}`, world.ada, { text: 'The dunlin wades.' })
    await world.call('PATCH', `/comments/${onPage}`, world.ada, { text: 'Is it a dunlin?' })
    await world.call('DELETE', `/comments/${onTask}`)
    expect(await hitsFor('dunlin')).to.have.members([`page ${page}`, `comment ${onPage}`])
    expect(await hitsFor('avocet&type=comment')).to.deep.equal([])
    await world.call('DELETE', `/pages/${page}`)
    expect(await hitsFor('avocet')).to.deep.equal([`task ${task}`])
    await world.call('POST', `/pages/${page}/restore`)
    expect(await hitsFor('dunlin')).to.have.members([`page ${page}`, `comment ${onPage}`])
    expect(await hitsFor('avocet')).to.have.members([`task ${task}`, `entry ${entry}`, `attachment ${file.id}`])
  })

  it('shows what is in a private space to those who see it, wherever a page moves', async () => {
    const bob = await newMember(world, 'Bob')
    const [open, hidden] = [await newSpace('open'), await newSpace('private')]
    const page = await write('/pages', { space: hidden, title: 'Ringing', text: 'The godwit is ringed.' })
    const comment = await write('/comments', { page, text: 'Which godwit?' })
    const task = await write('/tasks', { space: hidden, title: 'Ring a godwit' })
    const { body: file } = await world.upload({ page, insert: 'none' }, new File(['x'], 'godwit_list.txt'))
    const both = [`page ${page}`, `comment ${comment}`, `attachment ${file.id}`]
    expect(await hitsFor('godwit', bob)).to.deep.equal([])
    expect(await hitsFor('godwit')).to.have.members([...both, `task ${task}`])
    expect((await world.call('GET', `/search?q=godwit&space=${hidden}`, bob)).status).to.equal(404)
    await world.call('POST', `/pages/${page}/move`, world.ada, { space: open })
    expect(await hitsFor('godwit', bob)).to.have.members(both)
    expect(await hitsFor(`godwit&space=${open}`, bob)).to.have.members(both)
    expect(await hitsFor(`godwit&space=${hidden}`)).to.deep.equal([`task ${task}`])
    await world.call('POST', `/pages/${page}/move`, world.ada, { space: hidden })
    expect(await hitsFor('godwit', bob)).to.deep.equal([])
    await world.call('PUT', `/spaces/${hidden}/members/${bob.urn}`)
    expect(await hitsFor('godwit', bob)).to.have.members([...both, `task ${task}`])
  })

  it('corrects what is misspelt by words that its reader sees, and no others, page by page', async () => {
    const bob = await newMember(world, 'Bob')
    const [open, hidden] = [await newSpace('open'), await newSpace('private')]
    const made: string[] = []
    for (const title of ['Turnstone', 'Turnstones'])
      made.push(await write('/pages', { space: open, title, text: title }))
    const secret = await write('/pages', { space: hidden, title: 'Phalarope', text: '' })
    const first = (await world.call('GET', '/search?q=turnstnoe&limit=1', bob)).body
    expect(first.corrected_query).to.equal('turnstone')
    const second = (await world.call('GET', `/search?q=turnstnoe&limit=1&cursor=${first.next_cursor}`, bob)).body
    const found = [first, second].flatMap(({ items }) => (items as Hit[]).map(({ id }) => id))
    expect(found).to.have.members(made)
    expect((await world.call('GET', '/search?q=turnst', bob)).body.corrected_query).to.equal('turnstone')
    expect(await hitsFor('phalarpoe')).to.deep.equal([`page ${secret}`])
    const none = { items: [], next_cursor: null, corrected_query: null }
    expect((await world.call('GET', '/search?q=phalarpoe', bob)).body).to.deep.equal(none)
  })

  it('corrects no word by titles of another org', async () => {
    await write('/pages', { space: await newSpace('open'), title: 'Whimbrel', text: '' })
    const { token } = world.stranger
    const slug = `nests-${Date.now()}`
    await world.api.send('POST', '/v1/me/orgs', { token, body: { slug, display_name: 'Nests' } })
    const { body: space } = await world.api.send('POST', `/orgs/${slug}/spaces`, { token, body: { name: 'Log' } })
    const page = { space: space.id, title: 'Log', text: 'A whimbrel.' }
    expect((await world.api.send('POST', `/orgs/${slug}/pages`, { token, body: page })).status).to.equal(201)
    const { body } = await world.api.send('GET', `/orgs/${slug}/search?q=whimbrle`, { token })
    expect(body).to.deep.equal({ items: [], next_cursor: null, corrected_query: null })
  })

  it('lists the best first, each once, while others write', async () => {
    const space = await newSpace('open')
    const titled = await write('/pages', { space, title: 'Knot', text: '' })
    for (const text of ['a knot', 'a knot and a knot, and knots', 'one knot'])
      await write('/pages', { space, title: 'Birds', text })
    const pages: Hit[][] = []
    for (let cursor = ''; ; ) {
      const { items, next_cursor } = await search(`q=knot&limit=1${cursor}`)
      pages.push(items)
      await write('/pages', { space, title: 'Knot', text: 'knot' })
      if (next_cursor === null) break
      cursor = `&cursor=${next_cursor}`
    }
    expect(pages.map((items) => items.length)).to.deep.equal([1, 1, 1, 1])
    const found = pages.flat()
    expect(found[0]?.id).to.equal(titled)
    expect(found[1]?.snippet).to.include('knot and a knot')
    expect(new Set(found.map(({ id }) => id)).size).to.equal(4)
  })

  it('shows plain text, and finds the beginning of a page that has more words than an index holds', async () => {
    const space = await newSpace('open')
    await write('/pages', { space, title: 'Markup', text: 'A <b>whimbrel</b> <script>alert(1)</script> & co' })
    expect((await search('q=whimbrel')).items[0]?.snippet).to.not.match(/<|StartSel/)
    const word = (number: number) =>
      String.fromCodePoint(0x4e00 + (number % 9_000), 0x4e00 + Math.floor(number / 9_000))
    const compounds = Array.from({ length: 33_000 }, (_, number) => `${word(number)}-${word(number + 40_000)}`).join(
      ' ',
    )
    const page = await write('/pages', { space, title: 'Many words', text: `curlew ${compounds}`.slice(0, 200_000) })
    expect(await hitsFor('curlew')).to.deep.equal([`page ${page}`])
  })
})
