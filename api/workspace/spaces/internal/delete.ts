import { Problem } from '../../../errors.ts'
import { isStillReferenced } from '../../../faults.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import type { Member } from '../../membership.ts'
import { recordChange } from '../../recordChange.ts'
import { lockSpace } from '../find.ts'
import { spaceEvents } from '../module.ts'
import { spaceProblems } from '../problems.ts'

/**
 * Deletes an empty space. Throws the uniform 404, and 409 for a space that holds something, also in the
 * trash.
 */
export async function deleteSpace(tx: Tx, member: Member, ref: string): Promise<void> {
  const space = await lockSpace(tx, member, ref)
  await recordChange(tx, member.orgId, member, { type: spaceEvents['space.deleted'], entity: space, spaceId: space.id })
  try {
    await tx.deleteFrom('market.spaces').where('id', '=', space.id).execute()
  } catch (error) {
    if (!isStillReferenced(error)) throw error
    throw new Problem(spaceProblems.spaceNotEmpty, { detail: 'The space is not empty. Archive it instead.' })
  }
}
