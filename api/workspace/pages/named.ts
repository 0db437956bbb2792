import { sql } from 'kysely'
import type { Tx } from '../../platform/db/pool.ts'
import { mayRead, type Reader } from '../membership.ts'

/** A name in a text, and the page that it leads to. */
export interface NamedPage {
  name: string
  id: string
  short_id: string
}

/**
 * Returns the pages that names lead to, of the pages that a reader sees: the oldest page with the title, or,
 * if no page has it, the page that had it last. A name that leads to no page is left out.
 */
export async function findNamedPages(tx: Tx, reader: Reader, names: readonly string[]): Promise<NamedPage[]> {
  if (names.length === 0) return []
  const { rows } = await sql<NamedPage>`
    select distinct on (name) name, id, short_id from (
      select title as name, id, short_id, null::timestamptz as until
      from market.pages page
      where org_id = ${reader.orgId} and title = any(${names}) and trashed_at is null and ${mayRead(reader, 'page.space_id')}
      union all
      select alias.title, page.id, page.short_id, alias.until
      from market.page_aliases alias join market.pages page on page.id = alias.page_id
      where alias.org_id = ${reader.orgId} and alias.title = any(${names}) and page.trashed_at is null
        and ${mayRead(reader, 'page.space_id')}) led
    order by name, until desc nulls first, id`.execute(tx)
  return rows
}
