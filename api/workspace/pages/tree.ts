import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/db/pool.ts'

/**
 * Keeps others from changing the tree of an org's pages, or their titles, until the transaction ends. Call
 * before locking a page.
 */
export async function lockTree(tx: Tx, orgId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`page tree of ${orgId}`}, 0))`.execute(tx)
}

/**
 * Returns the ids of a page and of the pages below it that are not in the trash, and locks them. The tree
 * must be locked.
 */
export async function lockSubtree(tx: Tx, pageId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive below as (
      select id from market.pages where id = ${pageId}
      union
      select child.id from market.pages child join below on child.parent_id = below.id where child.trashed_at is null)
    select page.id from market.pages page where page.id in (select id from below)
    order by page.id for no key update`.execute(tx)
  return rows.map(({ id }) => id)
}

/**
 * Whether a page is one of these. All ids are one parameter, because Postgres takes at most 65,535
 * parameters.
 */
export function isAmong(ids: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`market.pages.id = any(${ids}::uuid[])`
}
