import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { SEARCH_PATH, type SearchPath, searchPathFault } from '../protocol/searchPath.ts'
import { createExclusive } from './exclusive.ts'

// Any constant: every facilitator of a database uses the same one.
const FACILITATOR_LOCK = 3_405_691_582n
const LOCK_RETRY_MS = 500
/** A connection without an answer for this long counts as lost. */
const QUERY_TIMEOUT_MS = 10_000

/** The database is not one that a process with keys may use: its role has privileges too many, or its search path is not empty. */
export class UnsafeDatabase extends Error {}

/**
 * The single database session of the facilitator that holds the lock. The lock ends with the session, and every write
 * goes through it: so every row was written by the lock's holder, and a facilitator that lost the lock can record no
 * transaction, and therefore broadcast none.
 */
export interface Session {
  /**
   * A named statement is planned once per session: planning takes Postgres longer than running it. It must name its
   * columns, since Postgres refuses a `*` that it planned before a migration.
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

/** What happens while a session is opened. */
export interface SessionEvents {
  /** Another facilitator holds the lock. */
  onWait: () => void
  /** The role may do more than it must. To refuse the session, throw UnsafeDatabase. */
  onExcess: (excess: string) => void
}

/** Connects, then waits for the lock until `stop` aborts. Throws any error of pg if the database is unreachable. */
export async function openSession(
  databaseUrl: string,
  stop: AbortSignal,
  { onWait, onExcess }: SessionEvents,
): Promise<Session> {
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
    const fault = searchPathFault((await client.query<SearchPath>(SEARCH_PATH)).rows)
    if (fault !== undefined) throw new UnsafeDatabase(fault)
    const excess = await excessivePrivilege(client)
    if (excess !== undefined) onExcess(excess)
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
        // A missing answer does not mean no effect: only a new session can read what was written.
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
 * Returns what the role may do too much, or undefined. A process with keys must not be able to write its own intents, nor
 * read other components' secrets. Privileges on single columns count as well.
 */
async function excessivePrivilege(client: pg.Client): Promise<string | undefined> {
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
  if (!rows[0]?.excess) return undefined
  return `database role ${rows[0].name} may use ${rows[0].excess}: use market_facilitator, which may read intents and stops, and no more`
}
