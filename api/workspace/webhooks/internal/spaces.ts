import { Problem } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { httpProblems } from '../../../platform/http/serve/problems.ts'
import { refColumn } from '../../schemas.ts'

/**
 * Returns the ids of spaces of an org, given by short ids or UUIDs. Throws request/invalid for a space that
 * does not exist.
 */
export async function spaceIds(tx: Tx, orgId: string, refs: readonly string[]): Promise<string[]> {
  const ids: string[] = []
  for (const ref of new Set(refs)) {
    const { column, value } = refColumn(ref)
    const query = tx.selectFrom('market.spaces').select('id').where(column, '=', value).where('org_id', '=', orgId)
    const space = await query.executeTakeFirst()
    if (!space) {
      throw new Problem(httpProblems.invalid, {
        detail: `spaces: there is no space ${ref} in this org.`,
        field: 'spaces',
      })
    }
    ids.push(space.id)
  }
  return ids
}
