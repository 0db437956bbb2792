import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/pool.ts'
import type { Member } from '../../membership.ts'
import { recordChange } from '../../recordChange.ts'
import { lockSpace, type SpaceRow } from '../find.ts'
import { spaceEvents } from '../module.ts'
import { insertSpaceMember } from './members.ts'

/** The fields of a space to change. An undefined field stays as it is. */
export interface SpaceChange {
  name?: string | undefined
  visibility?: 'open' | 'private' | undefined
  archived?: boolean | undefined
}

/**
 * Renames a space, sets its visibility, or archives it or takes it out of the archive. Throws the uniform
 * 404.
 */
export async function updateSpace(tx: Tx, member: Member, ref: string, change: SpaceChange): Promise<SpaceRow> {
  const before = await lockSpace(tx, member, ref)
  const { name = before.name, visibility = before.visibility, archived = before.archived_at !== null } = change
  const isSame = archived === (before.archived_at !== null)
  const space = await tx
    .updateTable('market.spaces')
    .set({
      ...{ name, visibility },
      archived_at: isSame ? before.archived_at : archived ? sql<Date>`market.now()` : null,
    })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (isSame && name === before.name && visibility === before.visibility) return space
  if (visibility === 'private' && before.visibility === 'open') await insertSpaceMember(tx, space, member.humanId)
  const data = { visibility, archived, renamed: name !== before.name }
  await recordChange(tx, member.orgId, member, {
    type: spaceEvents['space.updated'],
    entity: space,
    spaceId: space.id,
    data,
  })
  return space
}
