import { v7 as uuidv7 } from 'uuid'
import type { Tx } from '../../platform/db/pool.ts'
import type { Member } from '../membership.ts'
import { record } from '../record.ts'
import { newShortId } from '../shortId.ts'
import type { SpaceRow } from './find.ts'

/** Opens a space in an org and returns it. */
export async function createSpace(tx: Tx, member: Member, { name }: { name: string }): Promise<SpaceRow> {
  const space = await tx
    .insertInto('market.spaces')
    .values({ id: uuidv7(), short_id: newShortId(), org_id: member.orgId, name, created_by: member.urn })
    .returningAll()
    .executeTakeFirstOrThrow()
  await record(tx, member.orgId, member, { type: 'space.created', entity: space, spaceId: space.id })
  return space
}
