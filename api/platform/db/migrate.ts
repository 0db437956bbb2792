import { readFile } from 'node:fs/promises'
import { runMigrations as migrateQueues } from 'bullmq'
import { sql } from 'kysely'
import pg from 'pg'
import { sha256Hex } from '../../../protocol/encoding/canonical.ts'
import type { Db } from './pool.ts'
import { connectPrivileges, ensureRoles } from './roles.ts'
import { emptySearchPath } from './searchPath.ts'

// An arbitrary constant. Every migrator must use the same one.
const MIGRATION_LOCK = 7_063_512_741n

/** The SQL files of a database. */
export interface Schema {
  /** The folder that the paths are relative to. */
  root: URL
  /** In the order of application: each file may refer to tables of earlier files. */
  files: readonly string[]
  /** States all privileges. It is applied each time, and last, so that it also covers the tables of the queues. */
  roles: string
}

/**
 * Applies the schema files that a database does not have, in order, one transaction each, then the job queues' own migrations,
 * then the privileges of the processes' roles, which it creates if the server has none. Empties the search path of the
 * database. `databaseUrl` is the owner's. Several processes may call it at once. Throws, changing nothing, if text search
 * cannot tell letters from punctuation, or if the database was created from other files: until the first release the files are
 * edited in place and databases are recreated; after it the files stay unchanged, and a change is a new file at the end of the
 * list. Throws MissingRoles, changing nothing, if the server lacks a role that the owner may not create; `roles: false` does
 * without roles.
 */
export async function migrate(databaseUrl: string, schema: Schema, { roles = true } = {}): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'market-migrate' })
  await client.connect()
  try {
    // First: until then, the owner could run a function of anyone who may create a schema with the owner's name.
    await client.query(`set search_path = ''`)
    await requireLetters(client)
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    await emptySearchPath(client)
    if (roles) await ensureRoles(client, 'market')
    await client.query(`create table if not exists public.migrations
      (name text primary key, sha256 text not null, applied_at timestamptz not null default now())`)
    const { rows: recorded } = await client.query<Applied>('select name, sha256 from public.migrations')
    const files = await readFiles(schema, schema.files)
    requireSameFiles(files, recorded)
    const applied = new Set(recorded.map(({ name }) => name))
    for (const file of files) if (!applied.has(file.name)) await apply(client, file)
    await migrateQueues(client)
    if (roles) await applyRoles(client, schema)
  } finally {
    await client.end()
  }
}

/** Throws if text search treats every character beyond ASCII as a letter, or none: quotes would be part of words. */
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

async function applyRoles(client: pg.Client, schema: Schema): Promise<void> {
  for (const { name, text } of await readFiles(schema, [schema.roles])) await inOneTransaction(client, name, text)
  const { rows } = await client.query<{ name: string }>('select current_database() as name')
  for (const statement of connectPrivileges('market', rows[0]?.name ?? '')) await client.query(statement)
}

/** Returns the files, among some, that a database does not have yet. */
export async function pendingMigrations(db: Db, files: readonly string[]): Promise<string[]> {
  const { rows: tables } = await sql<{ found: boolean }>`
    select to_regclass('public.migrations') is not null as found`.execute(db)
  const { rows } = tables[0]?.found
    ? await sql<{ name: string }>`select name from public.migrations`.execute(db)
    : { rows: [] }
  const applied = new Set(rows.map(({ name }) => name))
  return files.filter((name) => !applied.has(name))
}

interface Applied {
  name: string
  sha256: string
}

interface SchemaFile extends Applied {
  text: string
}

function readFiles({ root }: Schema, names: readonly string[]): Promise<SchemaFile[]> {
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, root), 'utf8')
      return { name, text, sha256: sha256Hex(text) }
    }),
  )
}

/** Throws if the database has a file that is not ours, or one with different content. */
function requireSameFiles(files: readonly SchemaFile[], applied: readonly Applied[]): void {
  const known = new Map(files.map(({ name, sha256 }) => [name, sha256]))
  const foreign = applied.filter(({ name, sha256 }) => known.get(name) !== sha256).map(({ name }) => name)
  if (foreign.length === 0) return
  throw new Error(
    `this database was made from other files than this program's (${foreign.join(', ')}): make a new, empty database`,
  )
}

async function apply(client: pg.Client, { name, text, sha256 }: SchemaFile): Promise<void> {
  await inOneTransaction(client, name, text, () =>
    client.query('insert into public.migrations (name, sha256) values ($1, $2)', [name, sha256]),
  )
}

async function inOneTransaction(
  client: pg.Client,
  name: string,
  text: string,
  record: () => Promise<unknown> = async () => undefined,
): Promise<void> {
  await client.query('begin')
  try {
    await client.query(text)
    await record()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error(`${name} failed`, { cause: error })
  }
}
