import pg from 'pg'
import type { Logger } from 'pino'
import { INDEX_ROLE, type IndexRole, indexExcessOf } from '../protocol/environment/databaseRole.ts'
import { SEARCH_PATH, type SearchPath, searchPathFault } from '../protocol/environment/searchPath.ts'
import type { IndexerEnvironment } from './env.ts'

/**
 * Throws an Error if the search path is not empty, or if the indexer runs as the owner of its database. For
 * the latter, a sandbox only warns.
 */
export async function refuseOwner(env: IndexerEnvironment, log: Logger): Promise<void> {
  const client = new pg.Client({ connectionString: env.INDEX_DATABASE_URL, application_name: 'indexer' })
  await client.connect()
  try {
    const fault = searchPathFault((await client.query<SearchPath>(SEARCH_PATH)).rows)
    if (fault !== undefined) throw new Error(fault)
    const { rows } = await client.query<IndexRole>(INDEX_ROLE)
    const excess = rows[0] && indexExcessOf(rows[0], 'market_indexer')
    if (excess === undefined) return
    if (!env.MARKET_SANDBOX) throw new Error(excess)
    log.warn(excess)
  } finally {
    await client.end()
  }
}
