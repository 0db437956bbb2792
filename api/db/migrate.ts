import { readdir, readFile } from 'node:fs/promises'
import { runMigrations as migrateQueues } from 'bullmq'
import { sql } from 'kysely'
import pg from 'pg'
import { sha256Hex } from '../../protocol/canonical.ts'
import type { Db } from './pool.ts'

const MIGRATIONS = new URL('./migrations/', import.meta.url)
// Any constant will do, so long as every migrator takes the same one.
const MIGRATION_LOCK = 7_063_512_741n

/**
 * Brings a database up to date: our migrations in order, one transaction each, then the job queues' own.
 * Safe to run at once from many places. Throws when an applied migration was changed afterwards.
 */
export async function migrate(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    await client.query(`create table if not exists public.migrations
      (name text primary key, sha256 text not null, applied_at timestamptz not null default now())`)
    const { rows } = await client.query<{ name: string; sha256: string }>('select name, sha256 from public.migrations')
    const applied = new Map(rows.map((row) => [row.name, row.sha256]))
    for (const name of await migrationNames()) await applyOnce(client, name, applied.get(name))
    await migrateQueues(client)
  } finally {
    await client.end()
  }
}

/** The migrations this program brings that a database has not had. */
export async function pendingMigrations(db: Db): Promise<string[]> {
  const { rows: tables } = await sql<{ found: boolean }>`
    select to_regclass('public.migrations') is not null as found`.execute(db)
  const { rows } = tables[0]?.found
    ? await sql<{ name: string }>`select name from public.migrations`.execute(db)
    : { rows: [] }
  const applied = new Set(rows.map(({ name }) => name))
  return (await migrationNames()).filter((name) => !applied.has(name))
}

async function migrationNames(): Promise<string[]> {
  return (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).sort()
}

async function applyOnce(client: pg.Client, name: string, appliedSha256: string | undefined): Promise<void> {
  const text = await readFile(new URL(name, MIGRATIONS), 'utf8')
  const sha256 = sha256Hex(text)
  if (appliedSha256 === sha256) return
  if (appliedSha256)
    throw new Error(`migration ${name} was applied and has been changed since: write a new one instead`)
  await client.query('begin')
  try {
    await client.query(text)
    await client.query('insert into public.migrations (name, sha256) values ($1, $2)', [name, sha256])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error(`migration ${name} failed`, { cause: error })
  }
}
