import { urn } from '../../../../protocol/encoding/urn.ts'
import { notFound } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import type { Member, Reader } from '../../membership.ts'
import { recordChange } from '../../recordChange.ts'
import { findSpace, lockSpace, type SpaceRow } from '../find.ts'
import { spaceEvents } from '../module.ts'

/** A member of a private space. */
interface SpaceMemberRow {
  /** The human's. */
  id: string
  display_name: string
  added_at: Date
}

/** Lists the members of a space, newest first, starting below an id. Throws the uniform 404. */
export async function listSpaceMemberRows(
  tx: Tx,
  reader: Reader,
  ref: string,
  { from, limit }: { from: string | undefined; limit: number },
): Promise<SpaceMemberRow[]> {
  const space = await findSpace(tx, reader, ref)
  let query = tx
    .selectFrom('market.space_members as own')
    .innerJoin('market.humans as human', 'human.id', 'own.human_id')
    .select(['human.id', 'human.display_name', 'own.added_at'])
    .where('own.space_id', '=', space.id)
  if (from !== undefined) query = query.where('own.human_id', '<', from)
  return query.orderBy('own.human_id', 'desc').limit(limit).execute()
}

/** Adds a member of the org to a private space; does nothing if they are in it. Throws the uniform 404. */
export async function addSpaceMember(tx: Tx, member: Member, ref: string, humanId: string): Promise<void> {
  const space = await lockSpace(tx, member, ref)
  const { orgId } = member
  const other = await tx
    .selectFrom('market.org_members')
    .select('human_id')
    .where('org_id', '=', orgId)
    .where('human_id', '=', humanId)
    .forShare()
    .executeTakeFirst()
  if (!other) throw notFound('member')
  if (!(await insertSpaceMember(tx, space, humanId))) return
  const data = { member_added: humanId }
  await recordChange(tx, orgId, member, { type: spaceEvents['space.updated'], entity: space, spaceId: space.id, data })
}

/** Adds a member of the org to a space. Returns false if they are in it. */
export async function insertSpaceMember(tx: Tx, space: SpaceRow, humanId: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('market.space_members')
    .values({ org_id: space.org_id, space_id: space.id, human_id: humanId })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

/** Removes a member from a private space. Throws the uniform 404. */
export async function removeSpaceMember(tx: Tx, member: Member, ref: string, humanId: string): Promise<void> {
  const space = await lockSpace(tx, member, ref)
  const { numDeletedRows } = await tx
    .deleteFrom('market.space_members')
    .where('space_id', '=', space.id)
    .where('human_id', '=', humanId)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw notFound('member')
  const data = { member_removed: humanId }
  await recordChange(tx, member.orgId, member, {
    type: spaceEvents['space.updated'],
    entity: space,
    spaceId: space.id,
    data,
  })
}

/** Returns a member of a space in their wire form. */
export function toSpaceMember({ id, display_name, added_at }: SpaceMemberRow) {
  return { human_urn: urn('human', id), display_name, added_at: added_at.toISOString() }
}
