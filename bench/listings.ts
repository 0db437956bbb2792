import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '../api/platform/db/pool.ts'
import { copyInto } from './copy.ts'

/** Words of the language of the listings, the most used first. */
export const VOCABULARY = 100_000
const SELLERS = 1_000
const TITLE_WORDS = 5
const DESCRIPTION_WORDS = 20
const PRICES = 200
const ROWS_A_COPY = 5_000
const LANES = 2
const CONSONANTS = 'bcdfghjklmnprstvwz'
const VOWELS = 'aeiou'
const SYLLABLES_A_WORD = 4
// Prime to the number of words there can be, so that each rank has a word of its own, unlike its neighbours'.
const STRIDE = 7_919

/** The word of a rank, from 0 on. */
function wordOf(rank: number): string {
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

/** The words themselves, by rank. */
export const WORDS = Array.from({ length: VOCABULARY }, (_, rank) => wordOf(rank))
const COLUMNS = 'market.asks (id, seller_id, title, description, price_micros, sla_seconds, auto_accept_seconds)'
const INDEX = 'create index asks_search on market.asks using gin (search) with (fastupdate = off)'

/** A rank by Zipf's law: that of 10 words is drawn as often as that of the next 90. */
function zipfRank(): number {
  return Math.floor(VOCABULARY ** Math.random()) - 1
}

/** Creates agents that sell, each with a random reputation. Returns their ids. */
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

/**
 * Adds listings in bulk, and builds the search index and collects the words afterwards. The result is that of
 * adding them one by one, statistics included.
 */
export async function addListings(databaseUrl: string, sellers: readonly string[], count: number): Promise<void> {
  const clients = Array.from({ length: LANES }, () => new pg.Client({ connectionString: databaseUrl }))
  await Promise.all(clients.map((client) => client.connect()))
  try {
    const [first] = clients
    await first?.query('drop index market.asks_search')
    let left = count
    const lane = async (client: pg.Client) => {
      // Without triggers: the sellers exist, and the words are known.
      await client.query('set session_replication_role = replica')
      while (left > 0) {
        const rows = Math.min(ROWS_A_COPY, left)
        left -= rows
        await copyInto(client, COLUMNS, listings(sellers, rows))
      }
    }
    await Promise.all(clients.map(lane))
    await Promise.all([
      first?.query(`set maintenance_work_mem = '512MB'`).then(() => first.query(INDEX)),
      clients[1]?.query('insert into market.search_words select unnest($1::text[]) on conflict do nothing', [WORDS]),
    ])
    for (const table of ['asks', 'agents', 'search_words']) await first?.query(`vacuum analyze market.${table}`)
  } finally {
    await Promise.all(clients.map((client) => client.end()))
  }
}

function listings(sellers: readonly string[], count: number): string[] {
  return Array.from({ length: count }, () => {
    const seller = sellers[Math.floor(Math.random() * sellers.length)]
    const priceMicros = 1_000_000 * (1 + Math.floor(Math.random() * PRICES))
    return [uuidv7(), seller, textOf(TITLE_WORDS), textOf(DESCRIPTION_WORDS), priceMicros, 86_400, 86_400].join('\t')
  })
}

/** So many words by Zipf's law. */
export function textOf(words: number): string {
  return Array.from({ length: words }, () => WORDS[zipfRank()]).join(' ')
}
