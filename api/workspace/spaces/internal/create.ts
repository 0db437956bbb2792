import { newId } from '../../../../protocol/encoding/ids.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import type { Member } from '../../membership.ts'
import { recordChange } from '../../recordChange.ts'
import { newShortId } from '../../schemas.ts'
import type { SpaceRow } from '../find.ts'
import { spaceEvents } from '../module.ts'
import { insertSpaceMember } from './members.ts'

/** Creates a space in an org and returns it. The caller becomes the first member of a private one. */
export async function createSpace(
  tx: Tx,
  member: Member,
  { name, visibility }: Pick<SpaceRow, 'name' | 'visibility'>,
): Promise<SpaceRow> {
  const { orgId, urn } = member
  const space = await tx
    .insertInto('market.spaces')
    .values({ id: newId(), short_id: newShortId(), org_id: orgId, name, visibility, created_by: urn })
    .returningAll()
    .executeTakeFirstOrThrow()
  if (visibility === 'private') await insertSpaceMember(tx, space, member.humanId)
  await recordChange(tx, orgId, member, {
    type: spaceEvents['space.created'],
    entity: space,
    spaceId: space.id,
    data: { visibility },
  })
  return space
}
