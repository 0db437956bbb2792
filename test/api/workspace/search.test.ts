import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { pino } from 'pino'
import { openRpc } from '../../../api/payments/chain/client.ts'
import { processFiles } from '../../../api/workspace/processing/process.ts'
import { searchAttachments } from '../../../api/workspace/search/find.ts'
import { openPlanned } from '../platform/db/plans.ts'
import { expectCode, startWorkspace, type TestAttachment, type Workspace } from './world.ts'

interface Hit {
  type: string
  attachment: TestAttachment
  snippet: string
  offset: number
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
  const namesFor = async (q: string) =>
    (await search(`q=${encodeURIComponent(q)}`)).items.map(({ attachment }) => attachment.filename)
  const attach = async (content: string, name: string) => world.attach(await world.newPage(), content, name)

  it('says which attachment has the words, and where', async () => {
    await attach('Nothing of the kind.', 'other.txt')
    const made = await attach(`${'filler '.repeat(10_000)}\nThe quick heron walks along the river.`, 'birds.txt')
    await process()
    const { items } = await search('q=herons%20walking', world.agent)
    expect(items.map(({ type, attachment }) => [type, attachment.id])).to.deep.equal([['attachment', made.id]])
    const [hit] = items
    expect(hit?.snippet).to.include('quick heron walks')
    const { body } = await world.call('GET', `/attachments/${made.id}/text?offset=${hit?.offset}&limit=100000`)
    expect(body.text).to.include('quick heron walks')
    expect(hit?.offset).to.be.above(0)
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
    const made = await attach('An obsolete walrus.', 'walrus.txt')
    await process()
    await world.api.send('PUT', `/orgs/${world.slug}/attachments/${made.id}/content`, {
      token: world.ada.token,
      raw: 'A contemporary narwhal.',
      headers: { 'content-type': 'application/octet-stream', 'market-version': undefined },
    })
    await process()
    expect([await namesFor('walrus'), await namesFor('narwhal')]).to.deep.equal([[], ['walrus.txt']])
    await world.call('DELETE', `/attachments/${made.id}`)
    expect(await namesFor('narwhal')).to.deep.equal([])
    await world.call('POST', `/attachments/${made.id}/restore`)
    expect(await namesFor('narwhal')).to.deep.equal(['walrus.txt'])
  })

  it('lists each attachment once, newest first, page by page', async () => {
    const made: string[] = []
    for (const name of ['a', 'b', 'c']) made.push((await attach(`A pelican ${name}.`.repeat(9_000), `${name}.txt`)).id)
    await process()
    const first = await search('q=pelican&limit=2')
    const second = await search(`q=pelican&limit=2&cursor=${first.next_cursor}`)
    const found = [...first.items, ...second.items].map(({ attachment }) => attachment.id)
    expect([found, second.next_cursor]).to.deep.equal([made.toReversed(), null])
    expectCode(
      await world.call('GET', `/search?q=other&cursor=${first.next_cursor}`),
      400,
      'request/invalid',
      'invalid',
    )
  })

  it('is for members alone, and finds nothing of another org', async () => {
    await attach('A confidential albatross.', 'bird.txt')
    await process()
    const denied = await world.call('GET', '/search?q=albatross', world.stranger)
    expectCode(denied, 404, 'resource/not-found', 'not_found')
    const slug = `theirs-${Date.now()}`
    await world.api.send('POST', '/v1/me/orgs', { token: world.stranger.token, body: { slug, display_name: 'Theirs' } })
    const theirs = await world.api.send('GET', `/orgs/${slug}/search?q=albatross`, { token: world.stranger.token })
    expect(theirs.body).to.deep.equal({ items: [], next_cursor: null })
  })

  it('goes by the index of words, among many attachments', async () => {
    const { db } = world.api
    const { org_id, id: page_id } = await db
      .selectFrom('market.pages')
      .select(['id', 'org_id'])
      .limit(1)
      .executeTakeFirstOrThrow()
    const id = sql`('00000000-0000-7000-8000-' || lpad(number::text, 12, '0'))::uuid`
    await sql`with numbers as (select number from generate_series(1, 4000) number),
      made as (insert into market.files (id, org_id, sha256, size_bytes, text_state, preview_state)
        select ${id}, ${org_id}, lpad(number::text, 64, '0'), 1, 'ready', 'unsupported' from numbers),
      texts as (insert into market.file_texts (file_id, org_id, first_character, characters, text)
        select ${id}, ${org_id}, 0, 9, 'word' || number from numbers),
      attached as (insert into market.attachments (id, short_id, org_id, page_id, filename, created_by)
        select ${id}, lpad(number::text, 10, '0'), ${org_id}, ${page_id}, number::text, 'x' from numbers)
      insert into market.attachment_versions (attachment_id, number, file_id, media_type, created_by)
      select ${id}, 1, ${id}, 'text/plain', 'x' from numbers`.execute(db)
    await sql`analyze market.files, market.file_texts, market.attachments, market.attachment_versions`.execute(db)
    const planned = openPlanned(world.api.databaseUrl)
    const plans = await planned.plansOf((tx) =>
      searchAttachments(tx, { orgId: org_id, humanId: world.ada.id, role: 'member' }, 'word1234', {
        from: undefined,
        limit: 20,
      }),
    )
    await planned.db.destroy()
    expect(plans.join('\n')).to.include('file_texts_search')
  })
})
