import { CompiledQuery } from 'kysely'
import type { Logger } from 'pino'
import { INDEX_ROLE, type IndexRole, indexExcessOf } from '../../../protocol/environment/databaseRole.ts'
import { isOutage } from '../../faults.ts'
import type { IndexDb } from '../../platform/db/pool.ts'
import { requireEmptySearchPath } from '../../platform/db/searchPath.ts'

/**
 * Throws an Error if the search path of the index is not empty, or the role of this process may create or own
 * anything there. In a sandbox such a role only causes a warning. A database that cannot be reached is not
 * waited for.
 */
export async function refuseIndexOwner(index: IndexDb, sandbox: boolean, log: Logger): Promise<void> {
  const role = CompiledQuery.raw(INDEX_ROLE) as CompiledQuery<IndexRole>
  const read = async () => {
    await requireEmptySearchPath(index)
    return index.executeQuery(role)
  }
  const found = await read().catch((error: unknown) => {
    if (isOutage(error)) return undefined
    throw error
  })
  const excess = found?.rows[0] && indexExcessOf(found.rows[0], 'market_index_reader')
  if (excess === undefined) return
  if (!sandbox) throw new Error(excess)
  log.warn(excess)
}
