import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { runMigrations as migrateQueues } from 'bullmq'
import pg from 'pg'
import {
  type AppliedMigration,
  dueMigrations,
  HISTORY,
  type History,
  laterVersions,
  type Migration,
  numberOf,
} from '../../../protocol/environment/migrations.ts'
import { readMigration, type Schema } from './migrations.ts'
import { connectPrivileges, ensureRoles, type SettingOptions } from './roles.ts'
import { emptySearchPath } from './searchPath.ts'

// An arbitrary constant. Every migrator must use the same one.
const MIGRATION_LOCK = 7_063_512_741n
const LOCK_POLL_MS = 200
// A statement that waits for a table lock holds up all that come after it, so it waits shortly and often.
const TABLE_LOCK_TIMEOUT = '2s'
const TABLE_LOCK_PAUSE_MS = 1_000
const TABLE_LOCK_TRIES = 60
const LOCK_NOT_AVAILABLE = '55P03'
const INDEX_STATEMENT = /^create\s+(?:unique\s+)?index\s+concurrently\s+(\w+)\s+on\s+(\w+)\.\w+\s[^;]*;?$/i

// The facilitator asks the function: that of the former version starts under no role that may read another
// table.
const RECORDS = `
  create table if not exists public.migrations
    (name text primary key, version text not null, kind text not null, sha256 text not null, applied_at timestamptz not null default now());
  create table if not exists public.versions
    (version text primary key, place integer generated always as identity, migrated_at timestamptz not null default now());
  create or replace function public.schema_history() returns table (migrations json, versions json)
    language sql stable security definer begin atomic ${HISTORY}; end;
  revoke all on function public.schema_history() from public`

/** How to migrate. */
export interface MigrateOptions extends SettingOptions {
  /** False does without the roles of the processes. */
  roles?: boolean
  /** Whether to remove what only the former version uses. */
  contract?: boolean
}

/**
 * Applies the migrations that a database lacks, in order, then the job queues' own, then the privileges of
 * the processes' roles, which it creates if the server has none, and whose stored settings it resets. Empties
 * the search path of the database. `databaseUrl` is the owner's. Several processes may call it at once. The
 * processes of the former version may go on meanwhile: what would break them waits for `contract`. Throws,
 * changing nothing, if text search cannot tell letters from punctuation; if the database was made from other
 * files, or an applied file has changed; if a later version has migrated it; with `contract`, if a process of
 * another version is connected. Throws MissingRoles, changing nothing, if the server lacks a role that the
 * owner may not create, or a role has settings that the owner may not reset.
 */
export async function migrate(
  databaseUrl: string,
  schema: Schema,
  { roles = true, contract: isContracting = false, ...settings }: MigrateOptions = {},
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'market-migrate' })
  await client.connect()
  try {
    // First: until then, the owner could run a function of anyone who may create a schema with the owner's
    // name.
    await client.query(`set search_path = ''`)
    await requireLetters(client)
    await takeLock(client)
    await emptySearchPath(client)
    if (roles) await ensureRoles(client, 'market', settings)
    await client.query(RECORDS)
    const history = await historyOf(client)
    await requireOurs(schema, history)
    if (isContracting) await refuseOtherVersions(client, schema.version)
    for (const migration of dueMigrations(schema, history, { isContracting })) await apply(client, schema, migration)
    await migrateQueues(client)
    if (roles) await applyRoles(client, schema)
    await client.query('insert into public.versions (version) values ($1) on conflict do nothing', [schema.version])
  } finally {
    await client.end()
  }
}

/**
 * Waits for the other migrators. It asks again and again: a session that waits within a statement has a
 * snapshot, for which the other's CREATE INDEX CONCURRENTLY would wait.
 */
async function takeLock(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
      MIGRATION_LOCK,
    ])
    if (rows[0]?.taken) return
    await delay(LOCK_POLL_MS)
  }
}

/**
 * Throws if text search treats every character beyond ASCII as a letter, or none: quotes would be part of
 * words.
 */
async function requireLetters(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ encoding: string; ctype: string }>(`
    select current_setting('server_encoding') as encoding, datctype as ctype
    from pg_database where datname = current_database()`)
  const [{ encoding, ctype } = { encoding: '', ctype: '' }] = rows
  if (encoding === 'UTF8') {
    const { rows: parsed } = await client.query(`select from unnest(to_tsvector('pg_catalog.simple', 'a\u2019b'))`)
    if (parsed.length === 2) return
  }
  throw new Error(
    `this database has the encoding ${encoding} and the ctype ${ctype}, with which text search finds no words beyond ASCII: ` +
      `make it anew with: create database market template template0 encoding 'UTF8' lc_collate 'C' lc_ctype 'C.UTF-8'`,
  )
}

async function applyRoles(client: pg.Client, { root, roles }: Schema): Promise<void> {
  const text = await readFile(new URL(roles, root), 'utf8')
  await inOneTransaction(client, roles, () => client.query(text))
  const { rows } = await client.query<{ name: string }>('select current_database() as name')
  for (const statement of connectPrivileges('market', rows[0]?.name ?? '')) await client.query(statement)
}

async function historyOf(client: pg.Client): Promise<History> {
  const { rows } = await client.query<History>(HISTORY)
  return rows[0] ?? { migrations: [], versions: [] }
}

/**
 * Throws if the database has a migration that is not ours, or one with other content, or was migrated by a
 * later version.
 */
async function requireOurs(schema: Schema, history: History): Promise<void> {
  const [later] = laterVersions(schema, history)
  if (later !== undefined)
    throw new Error(
      `version ${later} has migrated this database: run its ./market migrate. Processes of version ${schema.version} may run beside it as long as /readyz says so`,
    )
  const known = new Map(schema.migrations.map((migration) => [migration.name, migration]))
  const newest = schema.migrations.length
  const foreign = history.migrations.filter(({ name }) => !known.has(name))
  const newer = foreign.filter(({ name }) => numberOf(name) > newest)
  if (foreign.length > 0 && newer.length === foreign.length)
    throw new Error(
      `this database has migrations of a later version (${namesOf(newer)}): run the ./market migrate of version ${newer.at(-1)?.version}`,
    )
  const changed: AppliedMigration[] = []
  for (const applied of history.migrations) {
    const ours = known.get(applied.name)
    if (ours && (await readMigration(schema, ours)).sha256 !== applied.sha256) changed.push(applied)
  }
  if (foreign.length + changed.length === 0) return
  throw new Error(
    `this database was made from other files than this program's (${namesOf([...foreign, ...changed])}): restore the files as they ` +
      'were released, or, if these never were, make a new, empty database',
  )
}

function namesOf(migrations: readonly AppliedMigration[]): string {
  return migrations.map(({ name }) => name).join(', ')
}

/** Throws if a process of another version is connected: it may use what is to be removed. */
async function refuseOtherVersions(client: pg.Client, version: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select distinct application_name as name from pg_stat_activity where datname = current_database()
      and application_name ~ '^(market-api|market-worker|facilitator) ' and split_part(application_name, ' ', 2) <> $1 order by 1`,
    [version],
  )
  if (rows.length === 0) return
  const names = rows.map(({ name }) => name).join(', ')
  throw new Error(`processes of another version are connected (${names}): end them, then run migrate --contract again`)
}

async function apply(client: pg.Client, schema: Schema, migration: Migration): Promise<void> {
  const { name, version, kind } = migration
  const { text, sha256 } = await readMigration(schema, migration)
  const record = () =>
    client.query('insert into public.migrations (name, version, kind, sha256) values ($1, $2, $3, $4)', [
      ...[name, version, kind, sha256],
    ])
  if (kind === 'concurrent') {
    await buildIndex(client, name, text)
    await record()
    return
  }
  await inOneTransaction(client, name, async () => {
    await client.query(text)
    await record()
  })
}

/** Tries again while a table is in use. */
async function inOneTransaction(client: pg.Client, name: string, work: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await client.query('begin')
    try {
      await client.query(`set local lock_timeout = '${TABLE_LOCK_TIMEOUT}'`)
      await work()
      await client.query('commit')
      return
    } catch (error) {
      await client.query('rollback')
      const isInUse = error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE
      if (!isInUse || attempt === TABLE_LOCK_TRIES) throw new Error(`${name} failed`, { cause: error })
    }
    await delay(TABLE_LOCK_PAUSE_MS)
  }
}

/**
 * Builds the index of a migration while writers go on. The migration is one CREATE INDEX CONCURRENTLY, which
 * no transaction may hold: a build that was interrupted leaves an invalid index, which this drops and builds
 * again. A valid one was built before a crash kept it from being recorded, and stays. Throws an Error for
 * another statement, or with the database's.
 */
async function buildIndex(client: pg.Client, name: string, text: string): Promise<void> {
  const statement = text.replaceAll(/^\s*--.*$/gm, '').trim()
  const [, index = '', schema = ''] = INDEX_STATEMENT.exec(statement) ?? []
  if (index === '')
    throw new Error(`${name} is not one statement: create index concurrently <name> on <schema>.<table> …`)
  const place = `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(index)}`
  const { rows } = await client.query<{ indisvalid: boolean }>(
    'select indisvalid from pg_index where indexrelid = to_regclass($1)',
    [place],
  )
  if (rows[0]?.indisvalid) return
  try {
    if (rows[0]) await client.query(`drop index concurrently ${place}`)
    await client.query(statement)
  } catch (error) {
    throw new Error(`${name} failed`, { cause: error })
  }
}
