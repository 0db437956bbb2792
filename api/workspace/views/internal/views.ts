import type { Selectable } from 'kysely'
import { newId } from '../../../../protocol/encoding/ids.ts'
import { notFound, type Refusal, requireAllowed } from '../../../errors.ts'
import type { Database } from '../../../platform/db/generated/tables.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { type Member, refuseMember } from '../../membership.ts'
import { recordChange } from '../../recordChange.ts'
import { newShortId, refColumn } from '../../schemas.ts'
import { viewEvents } from '../module.ts'

type ViewRow = Selectable<Database['market.views']>

/** Saves a view of the org's tasks, for all members. */
export async function createView(
  tx: Tx,
  member: Member,
  { name, query }: Pick<ViewRow, 'name' | 'query'>,
): Promise<ViewRow> {
  const { orgId, urn } = member
  const saved = await tx
    .insertInto('market.views')
    .values({ id: newId(), short_id: newShortId(), org_id: orgId, name, query, created_by: urn })
    .returningAll()
    .executeTakeFirstOrThrow()
  await recordChange(tx, orgId, member, { type: viewEvents['view.created'], entity: saved, spaceId: null })
  return saved
}

/** Lists the saved views of the member's org, newest first, starting below an id. */
export async function listViewRows(
  tx: Tx,
  { orgId }: Member,
  { from, limit }: { from: string | undefined; limit: number },
): Promise<ViewRow[]> {
  let query = tx.selectFrom('market.views').selectAll().where('org_id', '=', orgId)
  if (from !== undefined) query = query.where('id', '<', from)
  return query.orderBy('id', 'desc').limit(limit).execute()
}

/**
 * Deletes a view. Throws the uniform 404, and 403 unless the member saved it, or is an owner or admin of the
 * org.
 */
export async function deleteView(tx: Tx, member: Member, ref: string): Promise<void> {
  const { orgId } = member
  const { column, value } = refColumn(ref)
  const found = tx.selectFrom('market.views').selectAll().where(column, '=', value).where('org_id', '=', orgId)
  const saved = await found.forUpdate().executeTakeFirst()
  if (!saved) throw notFound('view')
  requireAllowed(refuseDelete(saved, member))
  await tx.deleteFrom('market.views').where('id', '=', saved.id).executeTakeFirstOrThrow()
  await recordChange(tx, orgId, member, { type: viewEvents['view.deleted'], entity: saved, spaceId: null })
}

function refuseDelete({ created_by }: ViewRow, member: Member): Refusal | undefined {
  return created_by === member.urn ? undefined : refuseMember(member)
}

/** Returns a view in its wire form, with what the member may do with it. */
export function toView(saved: ViewRow, member: Member) {
  const { id, short_id, name, query, created_by } = saved
  return {
    ...{ id, short_id, name, query, created_by },
    may: refuseDelete(saved, member) === undefined ? (['delete'] as const) : [],
    created_at: saved.created_at.toISOString(),
  }
}
