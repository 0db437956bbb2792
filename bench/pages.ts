import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '../api/platform/db/pool.ts'
import type { Reader } from '../api/workspace/membership.ts'
import { newShortId } from '../api/workspace/schemas.ts'
import { copyInto } from './copy.ts'
import { textOf } from './listings.ts'

const SPACES = 20
const TITLE_WORDS = 5
const TEXT_WORDS = 120
const ROWS_A_COPY = 2_000
const LANES = 2
const COLUMNS = 'market.pages (id, short_id, org_id, space_id, title, text, created_by)'
const INDEX = `create index search_documents_search on market.search_documents using gin (search) with (fastupdate = off)
  where not is_trashed`

/** Creates an org of 20 spaces, every other one private, and returns a member who is in half of those. */
export async function createReader(db: Db): Promise<Reader> {
  const [orgId, humanId] = [randomUUID(), randomUUID()]
  await sql`with human as (insert into market.humans (id, display_name, email) values (${humanId}, 'Ada', 'ada@example.com')),
    org as (insert into market.orgs (id, slug, display_name) values (${orgId}, 'works', 'Works')),
    member as (insert into market.org_members (org_id, human_id, role) values (${orgId}, ${humanId}, 'member')),
    space as (insert into market.spaces (id, short_id, org_id, name, visibility, created_by)
      select gen_random_uuid(), lpad(number::text, 10, '0'), ${orgId}, 'Space', case number % 2 when 0 then 'private' else 'open' end, 'x'
      from generate_series(1, ${SPACES}) number returning id, short_id)
    insert into market.space_members (org_id, space_id, human_id)
    select ${orgId}, id, ${humanId} from space where short_id::integer % 4 = 0`.execute(db)
  return { orgId, humanId, role: 'member' }
}

/**
 * Adds pages in bulk, and indexes them afterwards. The result is that of adding them one by one, statistics
 * included.
 */
export async function addPages(databaseUrl: string, { orgId }: Reader, count: number): Promise<void> {
  const clients = Array.from({ length: LANES }, () => new pg.Client({ connectionString: databaseUrl }))
  await Promise.all(clients.map((client) => client.connect()))
  const [first] = clients
  try {
    const { rows } = (await first?.query('select id from market.spaces where org_id = $1', [orgId])) ?? { rows: [] }
    const spaces = rows.map(({ id }: { id: string }) => id)
    await first?.query('drop index market.search_documents_search')
    let left = count
    const lane = async (client: pg.Client) => {
      // Without triggers: what the pages belong to exists, and they are indexed here.
      await client.query('set session_replication_role = replica')
      while (left > 0) {
        const number = Math.min(ROWS_A_COPY, left)
        left -= number
        const pages = linesOf(orgId, spaces, number)
        await copyInto(
          client,
          COLUMNS,
          pages.map((page) => page.join('\t')),
        )
        await client.query(
          `insert into market.search_documents (id, type, org_id, space_id, page_id, title, search)
          select id, 'page', org_id, space_id, id, title, market.document_words('page', org_id, space_id, title, text)
          from market.pages where id = any($1)`,
          [pages.map(([id]) => id)],
        )
      }
    }
    await Promise.all(clients.map(lane))
    await first?.query(`set maintenance_work_mem = '512MB'`)
    await first?.query(INDEX)
    for (const table of ['pages', 'search_documents', 'spaces']) await first?.query(`vacuum analyze market.${table}`)
  } finally {
    await Promise.all(clients.map((client) => client.end()))
  }
}

function linesOf(orgId: string, spaces: readonly string[], count: number): string[][] {
  return Array.from({ length: count }, () => {
    const space = spaces[Math.floor(Math.random() * spaces.length)] ?? ''
    return [uuidv7(), newShortId(), orgId, space, textOf(TITLE_WORDS), textOf(TEXT_WORDS), 'x']
  })
}
