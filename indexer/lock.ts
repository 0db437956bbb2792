import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { requireSession } from '../protocol/environment/pooler.ts'
import { watchForSilence } from '../protocol/environment/silence.ts'

const RETRY_MS = 500
const CONNECT_TIMEOUT_MS = 10_000
const KEEP_ALIVE_DELAY_MS = 10_000
/** How often a session that was cut is taken for gone before its lock counts as another indexer's. */
const MOST_TRIES = 10

/** The right to write a schema. */
export interface SchemaLock {
  /** Resolves with the reason when this process must write no more. */
  lost: Promise<string>
}

/** What happens to the right to write. */
export interface LockEvents {
  /** Another indexer writes: this one waits. */
  onWait: () => void
  /** The database session that held the right has ended. */
  onCut: () => void
  /** A new session holds the right. Nobody else held it meanwhile. */
  onHeldAgain: () => void
}

/** The name of a process in the database, and the schema that it writes. */
interface Holder {
  databaseUrl: string
  schema: string
  /** The application_name of its session. */
  name: string
}

interface GuardSession {
  client: pg.Client
  ended: Promise<void>
}

/**
 * Waits until no other process writes `schema`, then takes it over. The lock is that of a database session,
 * so no ended process can hold it; Ponder's own lock outlives a killed process by 25 seconds, so it is
 * released here. A session that ends is replaced, and Ponder, which replaces its own sessions, goes on. It
 * must not go on if another indexer has written meanwhile, or if the server lost what Ponder had committed.
 * Nor can it if its sessions fell silent without an end, as when a firewall forgets them: Ponder would wait
 * for them for ever.
 */
export async function lockSchema(databaseUrl: string, schema: string, events: LockEvents): Promise<SchemaLock> {
  await requireSession(databaseUrl, { variable: 'INDEX_DATABASE_URL', needs: 'an indexer needs' })
  const holder = { databaseUrl, schema, name: `indexer_${randomUUID()}` }
  const session = await openSession(holder)
  for (let attempt = 0; !(await tryLock(session, holder)); attempt++) {
    if (attempt === 0) events.onWait()
    await delay(RETRY_MS)
  }
  await endFormer(session, holder)
  await openPonderLock(session.client, schema)
  await leaveMark(session, holder)
  return { lost: holdOn(session, holder, events) }
}

/** Replaces each session that ends. Resolves with the reason once that is not possible. */
async function holdOn(first: GuardSession, holder: Holder, { onCut, onHeldAgain }: LockEvents): Promise<string> {
  for (let session = first; ; onHeldAgain()) {
    const silence = watchForSilence(session.client)
    const isSilent = await Promise.race([session.ended.then(() => false), silence.fallen.then(() => true)])
    silence.stop()
    onCut()
    const next = await untilAnswered(() => retake(holder))
    if (isSilent) return 'the sessions in the database have fallen silent'
    if (typeof next === 'string') return next
    session = next
  }
}

async function untilAnswered<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await ask()
    } catch {
      // Ponder can hardly write meanwhile, and whoever takes the schema over ends its sessions.
      await delay(RETRY_MS)
    }
  }
}

/**
 * Returns a session that holds the lock again, or why this process must end. Throws any error of the
 * database.
 */
async function retake(holder: Holder): Promise<GuardSession | string> {
  const session = await openSession(holder)
  const fault = await faultOf(session, holder).catch(async (error: unknown) => {
    await session.client.end().catch(() => {})
    throw error
  })
  return fault ?? session
}

async function faultOf(session: GuardSession, holder: Holder): Promise<string | undefined> {
  // The server may not have noticed yet that the former session is gone.
  await session.client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1 and pid <> pg_backend_pid()',
    [holder.name],
  )
  for (let attempt = 1; !(await tryLock(session, holder)); attempt++) {
    if (attempt === MOST_TRIES) return 'another indexer has taken the schema over'
    await delay(RETRY_MS / MOST_TRIES)
  }
  return (await hasMark(session, holder)) ? undefined : 'the database has lost what was written last'
}

async function openSession({ databaseUrl: connectionString, name }: Holder): Promise<GuardSession> {
  const client = new pg.Client({
    ...{ connectionString, application_name: name, connectionTimeoutMillis: CONNECT_TIMEOUT_MS },
    ...{ keepAlive: true, keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS },
  })
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  client.on('error', () => resolve())
  client.on('end', () => resolve())
  await client.connect()
  return { client, ended }
}

async function tryLock({ client }: GuardSession, { schema }: Holder): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    'select pg_try_advisory_lock(hashtextextended($1, 0)) as locked',
    [schema],
  )
  return rows[0]?.locked === true
}

/** Returns whether an indexer holds the right to write a schema. */
export async function isWritten(database: Pick<pg.Client, 'query'>, schema: string): Promise<boolean> {
  // Given back at the end of the statement.
  const query = 'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as free'
  const { rows } = await database.query<{ free: boolean }>(query, [schema])
  return rows[0]?.free !== true
}

/** Ends the sessions of a former holder's Ponder, which may not know yet that it may write no more. */
async function endFormer({ client }: GuardSession, { schema }: Holder): Promise<void> {
  await client.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = any($1)', [
    [`${schema}_internal`, `${schema}_user`],
  ])
}

async function openPonderLock(client: pg.Client, schema: string): Promise<void> {
  const meta = `${pg.escapeIdentifier(schema)}._ponder_meta`
  const { rows } = await client.query<{ exists: boolean }>('select to_regclass($1) is not null as exists', [meta])
  if (!rows[0]?.exists) return
  await client.query(`update ${meta} set value = jsonb_set(value, '{is_locked}', '0') where key = 'app'`)
}

/**
 * Writes the holder's name into an unlogged table. Postgres empties such a table when it has crashed, and it
 * is empty on a standby that was promoted and in a restored copy: the servers where Ponder's last commits may
 * be missing.
 */
async function leaveMark({ client }: GuardSession, { schema, name }: Holder): Promise<void> {
  await client.query(
    `create schema if not exists indexer_guard;
     create unlogged table if not exists indexer_guard.holders (schema text primary key, holder text not null)`,
  )
  await client.query(
    'insert into indexer_guard.holders values ($1, $2) on conflict (schema) do update set holder = excluded.holder',
    [schema, name],
  )
}

async function hasMark({ client }: GuardSession, { schema, name }: Holder): Promise<boolean> {
  const { rowCount } = await client.query('select from indexer_guard.holders where schema = $1 and holder = $2', [
    schema,
    name,
  ])
  return rowCount === 1
}
