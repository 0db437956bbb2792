import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { requireSession } from '../../../protocol/environment/pooler.ts'

// Any constant. A process that runs a sandbox on a database holds this lock there.
const LOCK = 7_203_881_554n
/** A server that hangs does not answer the end of a connection. */
const END_MS = 1_000

/** Keeps others from running a sandbox on a database. */
export interface DatabaseLock {
  release: () => Promise<void>
}

/**
 * Takes a database for one sandbox, as long as this process lives. Throws an Error if another one runs on it.
 */
export async function lockDatabase(databaseUrl: string): Promise<DatabaseLock> {
  await requireSession(databaseUrl, { variable: 'DATABASE_URL', needs: 'a sandbox needs' })
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'market-up' })
  // The users of the database report a lost connection.
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [LOCK])
  if (rows[0]?.locked)
    return { release: () => Promise.race([client.end().catch(() => {}), delay(END_MS, undefined, { ref: false })]) }
  await client.end()
  throw new Error('Another ./market up runs on DATABASE_URL. Stop that one, or name another database.')
}
