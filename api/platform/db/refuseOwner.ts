import { CompiledQuery } from 'kysely'
import type { Logger } from 'pino'
import { DATABASE_ROLE, type DatabaseRole, excessOf } from '../../../protocol/environment/databaseRole.ts'
import type { Db } from './pool.ts'
import { requireEmptySearchPath } from './searchPath.ts'

/**
 * Throws an Error if the search path is not empty, or if this process may write the tables of the ledger or
 * the facilitator, as the owner of the database may. For the facilitator's tables, a sandbox only warns,
 * because its database may have a single role.
 */
export async function refuseOwner(db: Db, sandbox: boolean, log: Logger): Promise<void> {
  // Before any statement with names to resolve.
  await requireEmptySearchPath(db)
  const { rows } = await db.executeQuery(CompiledQuery.raw(DATABASE_ROLE) as CompiledQuery<DatabaseRole>)
  const excess = rows[0] && excessOf(rows[0], 'market_api')
  if (excess === undefined) return
  if (!sandbox) throw new Error(excess)
  log.warn(excess)
}
