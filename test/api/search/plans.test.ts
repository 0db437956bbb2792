import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { listBidRows, listQuoteRows } from '../../../api/bids/list.ts'
import type { Tx } from '../../../api/db/pool.ts'
import { listAskRows } from '../../../api/market/list.ts'
import { listVersions } from '../../../api/market/versions.ts'
import { candidatesIn, openWindow } from '../../../api/search/candidates.ts'
import { expectedCost } from '../../../api/search/cost.ts'
import { readListed } from '../../../api/search/listed.ts'
import type { SearchQuery } from '../../../api/search/query.ts'
import { bestOf } from '../../../api/search/rank.ts'
import type { Candidate, Window } from '../../../api/search/runs.ts'
import { searchAsks } from '../../../api/search/search.ts'
import { newestTitled } from '../../../api/search/titled.ts'
import { startDatabase, type TestDatabase } from '../../stack/database.ts'
import { openPlanned, type Planned } from '../db/plans.ts'

describe('what reads listings, bids and quotes', () => {
  let database: TestDatabase
  let db: Planned['db']
  let sentBy: Planned['sentBy']
  let plansOf: Planned['plansOf']
  const someone = uuidv7()
  const something = uuidv7()
  let ask = something
  before(async () => {
    database = await startDatabase()
    ;({ db, sentBy, plansOf } = openPlanned(database.url))
    await sql`insert into market.humans (id, display_name, email) values (${someone}, '', '')`.execute(db)
    await sql`insert into market.agents (id, owner_id, display_name, description) values (${someone}, ${someone}, '', '')`.execute(
      db,
    )
    await sql`
      insert into market.asks (id, seller_id, title, description, price_micros, sla_seconds, auto_accept_seconds)
      select gen_random_uuid(), ${someone}, 'Nocturne',
        case place % 2 when 0 then 'common' else 'rest' end || case place % 5 when 0 then ' scherzo' else '' end, 1, 1, 1
      from generate_series(1, 6000) place`.execute(db)
    // Later tests rely on what the planner does not know yet.
    await sql`alter table market.asks set (autovacuum_enabled = false)`.execute(db)
    await sql`vacuum analyze market.asks`.execute(db)
    ask = (await db.selectFrom('market.asks').select('id').limit(1).executeTakeFirstOrThrow()).id
  })
  after(async () => {
    await db.destroy()
    await database.stop()
  })

  const search = (text: string) => (tx: Tx) => searchAsks(tx, { text, from: undefined, limit: 20 })
  const page = { before: something, limit: 20 }

  const reads: [string, (tx: Tx) => Promise<unknown>][] = [
    ['a search for a word of every listing', search('nocturne')],
    ['a search for a word and not another', search('nocturne -common')],
    ['a search for a phrase', search('"nocturne common"')],
    ['a search for anything but a word', search('-common')],
    ['a search for nothing in particular', search('')],
    ['a search for what is misspelt', search('noctunre')],
    ['the asks of a seller', (tx) => listAskRows(tx, someone, { active: undefined, ...page })],
    ['the active asks of a seller', (tx) => listAskRows(tx, someone, { active: true, ...page })],
    ['the versions of an ask', (tx) => listVersions(tx, ask, { ...page, before: '9' })],
    ['the bids of everyone', (tx) => listBidRows(tx, undefined, page)],
    ['the bids of a bidder', (tx) => listBidRows(tx, someone, page)],
    ['the quotes of an agent', (tx) => listQuoteRows(tx, someone, { role: undefined, bidId: undefined, ...page })],
    ['the quotes on a bid', (tx) => listQuoteRows(tx, someone, { role: 'bidder', bidId: something, ...page })],
  ]
  for (const [name, read] of reads) {
    it(`finds ${name} by an index`, async () => {
      for (const plan of await plansOf(read)) {
        expect(plan, plan).to.not.match(/Seq Scan on (asks|ask_versions|bids|quotes|search_words|agents)/)
      }
    })
  }

  const opening = (query: SearchQuery, top: bigint, newest: bigint) => ({
    top,
    newest,
    costOf: async () => expectedCost(db as Tx, query, (await readListed(db as Tx)).countOfWords),
  })
  const serenade = { exact: "'serenad'", indexable: "'serenad'" }

  it('ranks candidates where they are, without a look at an index, however few listings seem to match', async () => {
    const { rows } = await sql<Candidate>`
      select number, ctid::text as place from market.asks where number % 12 = 1`.execute(db)
    const plans = await plansOf((tx) => bestOf(tx, serenade, rows, { behind: null, limit: 20 }))
    for (const plan of plans)
      expect(plan, plan)
        .to.include('Tid Scan on asks')
        .and.not.match(/using asks|on asks_/)
  })

  it('finds what is titled as it was typed by an index', async () => {
    const plans = await plansOf((tx) => newestTitled(tx, 'Nocturne'))
    for (const plan of plans) expect(plan, plan).to.include('asks_by_title')
  })

  it('looks at as many runs for words that are never together among ten million listings as among a few', async () => {
    const apart = { exact: "'common' & 'rest'", indexable: "'common' & 'rest'" }
    const newest = 10_000_000n
    const { window, listings } = await openWindow(db as Tx, apart, opening(apart, newest, newest))
    expect(listings).to.deep.equal([])
    expect(window.top - window.floor < 64n * 131_072n).to.equal(true)
  })

  const plansOfWindow = async (query: SearchQuery, window: Window) => {
    const { newest, costOf } = opening(query, 6_000n, 6_000n)
    const cost = await costOf()
    return plansOf((tx) => candidatesIn(tx, query, window, { newest, costOf: async () => cost }))
  }
  const nocturne = { exact: "'nocturn'", indexable: "'nocturn'" }

  it('looks a long window up by the words of its runs alone, never by its numbers', async () => {
    const plans = await plansOfWindow(nocturne, { top: 5_900n, floor: 100n })
    for (const plan of plans) expect(plan, plan).to.include('asks_search').and.not.include('asks_by_number')
  })

  it('reads a short window by its numbers, and no listing outside of it', async () => {
    const plans = await plansOfWindow(nocturne, { top: 5_100n, floor: 5_000n })
    for (const plan of plans) expect(plan, plan).to.include('asks_by_number').and.not.include('asks_search')
  })

  it('has no plan compiled, which takes longer than the search', async () => {
    await db.transaction().execute(async (tx) => {
      await sql`set local jit = on`.execute(tx)
      await search('nocturne')(tx)
      const { rows } = await sql<{ jit: string }>`show jit`.execute(tx)
      expect(rows).to.deep.equal([{ jit: 'off' }])
    })
  })

  /** How the first statement of a search that has the text in it went. */
  const analysed = async (query: string, part: string): Promise<string> => {
    const statement = (await sentBy(search(query))).find(({ sql: text }) => text.includes(part))
    if (!statement) throw new Error(`the search said no ${part}`)
    const { rows } = await db.executeQuery<Record<string, string>>({
      ...statement,
      sql: `explain (analyze, buffers off, timing off, summary off) ${statement.sql}`,
    })
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  }

  it('reads no more listings than are ranked for a word that every listing has, however many there are', async () => {
    const plan = await analysed('nocturne', 'ts_match_vq')
    expect(plan, plan).to.match(/using asks_by_number on asks .*actual rows=500/)
  })

  it('looks at no more runs than hold enough matches', async () => {
    const plan = await analysed('scherzo', 'generate_series')
    expect(plan, plan).to.match(/Bitmap Index Scan on asks_search .*loops=2\)/)
  })

  it('reads how many listings have which words once, until they are counted anew', async () => {
    const reads = async () => {
      const queries = await sentBy(search('"scherzo nocturne"'))
      expect(queries.filter(({ sql: text }) => text.includes('generate_series')).length).to.equal(2)
      return queries.filter(({ sql: text }) => text.includes('pg_stats')).length
    }
    await reads()
    expect(await reads()).to.equal(0)
    await sql`analyze market.asks`.execute(db)
    expect(await reads()).to.equal(1)
    expect(await reads()).to.equal(0)
  })

  it('finds the newest of more matches than were expected, and goes on from there', async () => {
    await sql`
      insert into market.asks (id, seller_id, title, description, price_micros, sla_seconds, auto_accept_seconds)
      select gen_random_uuid(), ${someone}, 'Serenade', '', 1, 1, 1 from generate_series(1, 5000)`.execute(db)
    const tx = db as Tx
    const { newest } = await readListed(tx)
    const seen: bigint[] = []
    for (let top = newest; top > newest - 5_000n; ) {
      const { window, listings } = await openWindow(tx, serenade, opening(serenade, top, newest))
      const numbers = listings.map(({ number }) => number)
      expect(numbers).to.have.length.at.most(500)
      const again = await candidatesIn(tx, serenade, window, opening(serenade, top, newest))
      expect(again.map(({ number }) => number)).to.deep.equal(numbers)
      seen.push(...numbers)
      top = window.floor - 1n
    }
    expect(seen).to.deep.equal(Array.from({ length: 5_000 }, (_, place) => newest - BigInt(place)))
  })

  it('finds a match beyond all that it reads of a word that was taken for a rare one', async () => {
    await sql`
      insert into market.asks (id, seller_id, title, description, price_micros, sla_seconds, auto_accept_seconds)
      select gen_random_uuid(), ${someone}, 'Toccata', case place when 5000 then 'rest' else '' end, 1, 1, 1
      from generate_series(1, 5000) place`.execute(db)
    const { asks, next } = await db.transaction().execute(search('toccata rest'))
    expect(asks.map(({ description }) => description)).to.deep.equal(['rest'])
    expect(next).to.equal(null)
  })

  it('finds a rare word beside one of most listings by the rare one alone', async () => {
    await sql`
      update market.asks set description = case number when 4999 then 'Barcarole' else 'Barcarole, common' end
      where number in (7, 4000, 4999)`.execute(db)
    await sql`analyze market.asks`.execute(db)
    const plan = await analysed('barcarole common', 'sought')
    expect(plan, plan).to.match(/Bitmap Index Scan on asks_search .*actual rows=3/)
    const { asks } = await db.transaction().execute(search('barcarole common'))
    expect(asks).to.have.length(2)
  })
})
