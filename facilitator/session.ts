import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { createExclusive } from './exclusive.ts'

// Any constant: every facilitator of a database takes the same one.
const FACILITATOR_LOCK = 3_405_691_582n
const LOCK_RETRY_MS = 500
/** A connection that has not answered for this long is taken as lost. */
const QUERY_TIMEOUT_MS = 10_000

/** The database role could do what a process with keys must not be able to. */
export class ExcessivePrivilege extends Error {}

/**
 * The one database session of the facilitator that acts. The lock lives and dies with it, and everything is written
 * through it: so whatever is on file was written by whoever held the lock, and a facilitator that lost it can write
 * no transaction down, therefore broadcast none.
 */
export interface Session {
  /**
   * A statement with a name is planned once a session: that takes Postgres longer than to run it. It names its columns,
   * since Postgres refuses a `*` that it planned before a migration.
   */
  query: <Row extends pg.QueryResultRow>(
    text: string,
    values?: unknown[],
    name?: string,
  ) => Promise<pg.QueryResult<Row>>
  /** Aborted when the session has ended. */
  lost: AbortSignal
  close: () => Promise<void>
}

/** Connects, then waits for the lock until `stop` aborts. Throws what pg throws when the database is out of reach. */
export async function openSession(databaseUrl: string, stop: AbortSignal, onWait: () => void): Promise<Session> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'facilitator',
    keepAlive: true,
    connectionTimeoutMillis: QUERY_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
  })
  const lost = new AbortController()
  client.on('error', () => lost.abort())
  client.on('end', () => lost.abort())
  await client.connect()
  try {
    await requireLeastPrivilege(client)
    for (let attempt = 0; !(await tryLock(client)); attempt++) {
      if (attempt === 0) onWait()
      await delay(LOCK_RETRY_MS, undefined, { signal: stop })
    }
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
  const exclusive = createExclusive()
  return {
    async query(text, values = [], name = '') {
      try {
        return await exclusive('session', () => client.query({ text, values, name }))
      } catch (error) {
        // No answer does not mean no effect: only a new session knows what was written.
        if (!(error instanceof pg.DatabaseError)) lost.abort()
        throw error
      }
    },
    lost: lost.signal,
    close: () => client.end().catch(() => {}),
  }
}

async function tryLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
    FACILITATOR_LOCK,
  ])
  return rows[0]?.locked === true
}

/**
 * A process with keys must not be able to write what it is told to do, nor read what others are trusted with. Privileges
 * on single columns count as well.
 */
async function requireLeastPrivilege(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string; excess: string | null }>(
    `select current_user as name, (
       select relation.oid::regclass::text
       from pg_class relation join pg_namespace schema on schema.oid = relation.relnamespace
       where relation.relkind in ('r', 'p', 'v', 'm', 'f')
         and schema.nspname not in ('facilitator', 'information_schema') and schema.nspname not like 'pg_%'
         and (has_table_privilege(relation.oid, 'delete, truncate, trigger')
           or has_any_column_privilege(relation.oid, 'insert, update, references')
           or has_any_column_privilege(relation.oid, 'select')
             and (schema.nspname, relation.relname) not in (('market', 'intents'), ('market', 'payout_stops'), ('sandbox', 'clock')))
       order by relation.oid limit 1
     ) as excess`,
  )
  if (rows[0]?.excess) {
    throw new ExcessivePrivilege(
      `database role ${rows[0].name} may use ${rows[0].excess}: use market_facilitator, which may read intents and stops, and no more`,
    )
  }
}
