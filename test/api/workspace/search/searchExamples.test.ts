import { readFile } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { findMatches } from '../../../../api/trading/search/internal/matches.ts'
import { parseQuery, typedWords } from '../../../../api/trading/search/query.ts'
import { findHits } from '../../../../api/workspace/search/internal/find.ts'
import { newTrader } from '../../../kit/api/trading.ts'
import { startWorkspace, type Workspace } from '../../../kit/api/workspace/world.ts'

const DOCS = new URL('./searchExamples.md', import.meta.url)
const LIMIT = 100

interface Example {
  text: string
  finds: string[]
  finds_not: string[]
}

/** The rows of the table on the page of which the first column has this heading. */
async function examples(heading: string): Promise<Example[]> {
  const page = await readFile(DOCS, 'utf8')
  const [, table = ''] = page.split(new RegExp(`^\\| ${heading} \\|.*\\n\\|[-|]*\\n`, 'm'))
  const rows = (table.split('\n\n')[0] ?? '').split('\n').map((line) => line.split('|').slice(1, 4))
  const codes = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)
  return rows.map(([text, finds, findsNot]) => ({
    ...{ text: codes(text)[0] ?? '', finds: codes(finds), finds_not: codes(findsNot) },
  }))
}

describe('the examples of searchExamples.md', () => {
  let world: Workspace
  let reader: { orgId: string; humanId: string; role: 'member' }
  let sellerId: string
  before(async () => {
    world = await startWorkspace()
    const { id } = await world.newPage()
    const { org_id } = await world.api.db
      .selectFrom('market.pages')
      .select('org_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    reader = { orgId: org_id, humanId: world.ada.id, role: 'member' }
    sellerId = (await newTrader({ api: world.api }, { wallet: 'unbound' })).agentId
  })
  after(() => world.stop())

  /**
   * Makes of each text an ask, a page and a file, as its title or as its text. Their ids end with its place.
   */
  const write = (texts: readonly string[], as: 'title' | 'text', kind: string) =>
    sql`
      with texts as (select *, ('00000000-0000-7000-8000-' || ${kind} || lpad(place::text, 11, '0'))::uuid as id,
          lpad(${kind} || place::text, 10, '0') as short
        from unnest(${texts}::text[]) with ordinality text (own, place)),
      given as (select *, case ${as} when 'title' then own else 'Page' end as title,
        case ${as} when 'title' then '' else own end as text from texts),
      place as (select space_id from market.pages where org_id = ${reader.orgId} limit 1),
      asks as (insert into market.asks (id, seller_id, title, description, price_micros, sla_seconds, auto_accept_seconds)
        select id, ${sellerId}, title, text, 1, 1, 1 from given),
      pages as (insert into market.pages (id, short_id, org_id, space_id, title, text, created_by)
        select id, short, ${reader.orgId}, space_id, title, text, 'x' from given, place returning id, short_id),
      files as (insert into market.files (id, org_id, sha256, size_bytes, text_state, preview_state)
        select id, ${reader.orgId}, lpad(short, 64, '0'), 1, 'ready', 'unsupported' from given),
      read as (insert into market.file_texts (file_id, org_id, first_character, characters, text)
        select id, ${reader.orgId}, 0, length(text), text from given where text <> ''),
      -- An attachment's name is its title.
      attached as (insert into market.attachments (id, short_id, org_id, page_id, filename, created_by)
        select overlay(id::text placing 'a' from 1)::uuid, short, ${reader.orgId}, id, title, 'x' from given)
      insert into market.attachment_versions (attachment_id, number, file_id, media_type, created_by)
      select overlay(id::text placing 'a' from 1)::uuid, 1, id, 'text/plain', 'x' from given`.execute(world.api.db)

  const placesOf = (ids: readonly string[], texts: readonly string[]) =>
    ids.map((id) => texts[Number(id.slice(-11)) - 1]).toSorted()

  /** The texts that a query finds, of asks, of pages and of files. */
  const findAll = (text: string, texts: readonly string[]) =>
    world.api.db.transaction().execute(async (tx) => {
      const asks = (await findMatches(tx, { text }, { limit: LIMIT })).map(({ ask }) => ask.id)
      const wanted = { text, type: undefined, spaceId: undefined }
      const hits = await findHits(tx, reader, wanted, { from: undefined, limit: LIMIT })
      const idsOf = (type: string) => hits.filter((hit) => hit.type === type).map(({ id }) => id)
      return Object.fromEntries(
        Object.entries({ asks, pages: idsOf('page'), files: idsOf('attachment') }).map(([name, ids]) => [
          name,
          placesOf(ids, texts),
        ]),
      )
    })

  const check = async (rows: readonly Example[]) => {
    const texts = rows.map(({ text }) => text)
    for (const query of new Set(rows.flatMap(({ finds, finds_not }) => [...finds, ...finds_not]))) {
      const expected = rows
        .filter(({ finds }) => finds.includes(query))
        .map(({ text }) => text)
        .toSorted()
      const found = await findAll(query, texts)
      expect(found, query).to.deep.equal({ asks: expected, pages: expected, files: expected })
    }
  }

  it('finds each text by its queries, and by no other: of asks, pages and files', async () => {
    const rows = await examples('A text with')
    expect(rows.length).to.be.above(40)
    await write(
      rows.map(({ text }) => text),
      'text',
      '1',
    )
    await check(rows)
  })

  it('shows the passage that has the words, however they are written, without tags', async () => {
    const filler = 'some words and '.repeat(500)
    for (const [sentence, queries] of [
      ['Written in <b>F#</b> here', ['F#', 'fsharp', 'f# written']],
      ['Un résumé, une école', ['resume', 'ÉCOLE', '"ecole"']],
      ['Bring your Wi-Fi', ['wifi', 'wi-fi']],
      ['แปลภาษาไทย', ['ภาษา', 'ไทย']],
    ] as const)
      for (const query of queries) {
        const { rows } = await world.api.db.transaction().execute(async (tx) => {
          const { any } = await parseQuery(tx, query)
          const content = `${filler}${sentence} ${filler}`
          return sql<{ snippet: string }>`
            select market.snippet(${content}, ${any}::tsquery, ${typedWords(query)}::text[]) as snippet`.execute(tx)
        })
        const [{ snippet } = { snippet: '' }] = rows
        expect(snippet, query)
          .to.include(sentence.replaceAll(/<.*?>/g, ' ').slice(-5))
          .and.have.length.below(300)
          .and.not.include('<')
      }
  })

  it('finds a title that was typed as a whole', async () => {
    const rows = await examples('A title')
    expect(rows.length).to.be.above(3)
    await sql`delete from market.asks`.execute(world.api.db)
    await sql`delete from market.attachment_versions`.execute(world.api.db)
    await sql`delete from market.attachments`.execute(world.api.db)
    await sql`delete from market.pages where title = 'Page'`.execute(world.api.db)
    await write(
      rows.map(({ text }) => text),
      'title',
      '2',
    )
    await check(rows)
  })
})
