import { Problem } from '../../errors.ts'
import type { Tx } from '../../platform/db/pool.ts'
import type { Member } from '../membership.ts'
import { record } from '../record.ts'
import { spaceEvents } from './events.ts'
import { lockSpace } from './find.ts'

const CONTENTS = ['market.pages', 'market.tasks', 'market.decisions', 'market.secrets'] as const

/**
 * Deletes a space that has neither pages nor tasks, decisions or secrets. Throws the uniform 404, and 409 for one that has,
 * also in the trash.
 */
export async function deleteSpace(tx: Tx, member: Member, ref: string): Promise<void> {
  const space = await lockSpace(tx, member, ref)
  for (const table of CONTENTS) {
    const held = await tx.selectFrom(table).select('id').where('space_id', '=', space.id).limit(1).executeTakeFirst()
    if (held) {
      throw new Problem('workspace/space-not-empty', { detail: 'There is something in the space. Archive it instead.' })
    }
  }
  await record(tx, member.orgId, member, { type: spaceEvents['space.deleted'], entity: space, spaceId: space.id })
  await tx.deleteFrom('market.spaces').where('id', '=', space.id).execute()
}
