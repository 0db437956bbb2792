import pg from 'pg'
import type { Logger } from 'pino'
import { DATABASE_ROLE, type DatabaseRole, excessOf } from '../protocol/databaseRole.ts'
import type { IndexerEnvironment } from './env.ts'

/** Throws an Error if the indexer runs as the owner of the database. A sandbox warns instead. */
export async function refuseOwner(env: IndexerEnvironment, log: Logger): Promise<void> {
  const client = new pg.Client({ connectionString: env.DATABASE_URL, application_name: 'indexer' })
  await client.connect()
  try {
    const { rows } = await client.query<DatabaseRole>(DATABASE_ROLE)
    const excess = rows[0] && excessOf(rows[0], 'market_indexer')
    if (excess === undefined) return
    if (!env.MARKET_SANDBOX) throw new Error(excess)
    log.warn(excess)
  } finally {
    await client.end()
  }
}
