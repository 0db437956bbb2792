import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '../../api/db/pool.ts'

/** Words of the language of the listings, the most used first. */
export const VOCABULARY = 100_000
const SELLERS = 1_000
const TITLE_WORDS = 5
const DESCRIPTION_WORDS = 20
const ROWS_A_STATEMENT = 5_000
const STATEMENTS_AT_ONCE = 2
const CONSONANTS = 'bcdfghjklmnprstvwz'
const VOWELS = 'aeiou'
const SYLLABLES_A_WORD = 4
// Prime to the number of words there can be, so that each rank has a word of its own, unlike its neighbours'.
const STRIDE = 7_919

/** The word of a rank, from 0 on. */
export function wordOf(rank: number): string {
  let rest = (rank + 1) * STRIDE
  let word = ''
  for (let syllable = 0; syllable < SYLLABLES_A_WORD; syllable++) {
    word += CONSONANTS.charAt(rest % CONSONANTS.length)
    rest = Math.floor(rest / CONSONANTS.length)
    word += VOWELS.charAt(rest % VOWELS.length)
    rest = Math.floor(rest / VOWELS.length)
  }
  return word
}

/** A rank by Zipf's law: that of 10 words is drawn as often as that of the next 90. */
function zipfRank(): number {
  return Math.floor(VOCABULARY ** Math.random()) - 1
}

/** Agents to sell, each of some reputation. */
export async function createSellers(db: Db): Promise<string[]> {
  const owner = randomUUID()
  const sellers = Array.from({ length: SELLERS }, () => uuidv7())
  await db
    .insertInto('market.humans')
    .values({ id: owner, display_name: 'Owner', email: 'owner@example.com' })
    .execute()
  await sql`
    insert into market.agents (id, owner_id, display_name, description, reputation_permille)
    select id, ${owner}, 'Seller', '', floor(random() * 1000) from unnest(${sellers}::uuid[]) id`.execute(db)
  return sellers
}

/** Adds listings in bulk: the index is built and the words are collected afterwards, as no seller could. */
export async function addListings(db: Db, sellers: readonly string[], count: number): Promise<void> {
  await sql`alter table market.asks disable trigger asks_keep_words`.execute(db)
  await sql`drop index market.asks_search`.execute(db)
  let left = Math.ceil(count / ROWS_A_STATEMENT)
  const lane = async () => {
    while (left-- > 0) await insertListings(db, sellers, Math.min(ROWS_A_STATEMENT, count))
  }
  await Promise.all(Array.from({ length: STATEMENTS_AT_ONCE }, lane))
  await db.connection().execute(async (connection) => {
    await sql`set maintenance_work_mem = '512MB'`.execute(connection)
    await sql`create index asks_search on market.asks using gin (search) with (fastupdate = off)`.execute(connection)
  })
  const words = Array.from({ length: VOCABULARY }, (_, rank) => wordOf(rank))
  await sql`insert into market.search_words select unnest(${words}::text[]) on conflict do nothing`.execute(db)
  await sql`alter table market.asks enable trigger asks_keep_words`.execute(db)
  for (const table of ['asks', 'agents', 'search_words'])
    await sql`vacuum analyze ${sql.table(`market.${table}`)}`.execute(db)
}

async function insertListings(db: Db, sellers: readonly string[], count: number): Promise<void> {
  const rows = Array.from({ length: count }, () => ({
    id: uuidv7(),
    seller: sellers[Math.floor(Math.random() * sellers.length)],
    title: textOf(TITLE_WORDS),
    description: textOf(DESCRIPTION_WORDS),
  }))
  await sql`
    insert into market.asks (id, seller_id, title, description, price_micros, sla_seconds, auto_accept_seconds)
    select *, 1000000, 86400, 86400 from unnest(
      ${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ seller }) => seller)}::uuid[],
      ${rows.map(({ title }) => title)}::text[], ${rows.map(({ description }) => description)}::text[])`.execute(db)
}

function textOf(words: number): string {
  return Array.from({ length: words }, () => wordOf(zipfRank())).join(' ')
}
