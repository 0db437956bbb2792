import { type RawBuilder, type Selectable, sql } from 'kysely'
import { notFound, Problem } from '../../errors.ts'
import type { Database } from '../../platform/db/generated/tables.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { mayRead, type Reader } from '../membership.ts'
import { refColumn } from '../schemas.ts'
import { spaceProblems } from './problems.ts'

/** A space as stored. */
export type SpaceRow = Selectable<Database['market.spaces']>

/** Returns a space that a reader sees, by its short id or UUID. Throws the uniform 404. */
export async function findSpace(tx: Tx, reader: Reader, ref: string): Promise<SpaceRow> {
  const row = await selectSpace(tx, reader, ref).executeTakeFirst()
  if (row) return row
  throw notFound('space')
}

/** Returns a space and locks it before it changes. Throws the uniform 404. */
export async function lockSpace(tx: Tx, reader: Reader, ref: string): Promise<SpaceRow> {
  const row = await selectSpace(tx, reader, ref).forUpdate().executeTakeFirst()
  if (row) return row
  throw notFound('space')
}

/**
 * Returns a space before something is added to it, and keeps it from being deleted or archived until the
 * transaction ends. Throws the uniform 404, and 409 for an archived space.
 */
export async function openSpace(tx: Tx, reader: Reader, ref: string): Promise<SpaceRow> {
  const row = await selectSpace(tx, reader, ref).forShare().executeTakeFirst()
  if (!row) throw notFound('space')
  if (row.archived_at === null) return row
  throw new Problem(spaceProblems.spaceArchived, {
    detail: 'Nothing changes in an archived space. Take it out of the archive first.',
  })
}

function selectSpace(tx: Tx, reader: Reader, ref: string) {
  const { column, value } = refColumn(ref)
  return tx
    .selectFrom('market.spaces')
    .selectAll()
    .where(column, '=', value)
    .where('org_id', '=', reader.orgId)
    .where(mayRead(reader, 'market.spaces.id'))
}

/** Lists the spaces of an org that a reader sees, newest first, starting below an id. */
export async function listSpaceRows(
  tx: Tx,
  reader: Reader,
  page: { from: string | undefined; limit: number },
): Promise<SpaceRow[]> {
  let query = tx
    .selectFrom('market.spaces')
    .selectAll()
    .where('org_id', '=', reader.orgId)
    .where(mayRead(reader, 'market.spaces.id'))
  if (page.from !== undefined) query = query.where('id', '<', page.from)
  return query.orderBy('id', 'desc').limit(page.limit).execute()
}

/** Returns a space in its wire form. */
export function toSpace({ id, short_id, name, visibility, created_by, ...row }: SpaceRow) {
  const times = { archived_at: row.archived_at?.toISOString() ?? null, created_at: row.created_at.toISOString() }
  return { id, short_id, name, visibility, created_by, ...times }
}

/**
 * Whether the membership "own" of an org sees the space in a column now. Things that others wrote in spaces
 * it does not see are not the human's.
 */
export function sees(space: string): RawBuilder<boolean> {
  return sql`(own.role <> 'member' or exists (
    select from market.spaces seen where seen.id = ${sql.ref(space)} and (seen.visibility = 'open' or exists (
      select from market.space_members inside where inside.space_id = seen.id and inside.human_id = own.human_id))))`
}
