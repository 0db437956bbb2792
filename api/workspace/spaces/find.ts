import type { Selectable } from 'kysely'
import { notFound } from '../../errors.ts'
import type { Tx } from '../../platform/db/pool.ts'
import type { Database } from '../../platform/db/schema.ts'
import { refColumn } from '../shortId.ts'

/** A space as stored. */
export type SpaceRow = Selectable<Database['market.spaces']>

/** Returns a space of an org by its short id or UUID. Throws the uniform 404. */
export async function findSpace(tx: Tx, orgId: string, ref: string): Promise<SpaceRow> {
  const { column, value } = refColumn(ref)
  const row = await tx
    .selectFrom('market.spaces')
    .selectAll()
    .where(column, '=', value)
    .where('org_id', '=', orgId)
    .executeTakeFirst()
  if (row) return row
  throw notFound('space')
}

/** Lists the spaces of an org, newest first, starting below an id. */
export async function listSpaceRows(
  tx: Tx,
  orgId: string,
  page: { from: string | undefined; limit: number },
): Promise<SpaceRow[]> {
  let query = tx.selectFrom('market.spaces').selectAll().where('org_id', '=', orgId)
  if (page.from !== undefined) query = query.where('id', '<', page.from)
  return query.orderBy('id', 'desc').limit(page.limit).execute()
}

/** Returns a space in its wire form. */
export function toSpace({ id, short_id, name, created_by, created_at }: SpaceRow) {
  return { id, short_id, name, created_by, created_at: created_at.toISOString() }
}
