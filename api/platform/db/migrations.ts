import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { CompiledQuery } from 'kysely'
import { sha256Hex } from '../../../protocol/encoding/canonical.ts'
import type { Db } from './pool.ts'

/**
 * When a migration is applied. `expand`: while the processes of the former version run. `concurrent`: likewise, and it builds one
 * index outside a transaction, so that writers go on. `contract`: once no process of the former version runs any more.
 */
type MigrationKind = 'expand' | 'concurrent' | 'contract'

/** A step from one schema to the next. It is applied once, and never changes after its release. */
export interface Migration {
  /** Its file's name, which begins with its number. */
  name: string
  /** The version that brings it. */
  version: string
  kind: MigrationKind
  /** Its text, file by file, relative to the schema's folder. */
  files: readonly string[]
}

/** The SQL of a database. */
export interface Schema {
  /** The folder that the paths are relative to. */
  root: URL
  /** The version of the program. */
  version: string
  /** The schema as it stands, to be read: each file may refer to tables of earlier files. The migrations lead to the same. */
  files: readonly string[]
  /** In the order of application. */
  migrations: readonly Migration[]
  /** States all privileges. It is applied each time, and last, so that it also covers the tables of the queues. */
  roles: string
}

/** What a database went through. */
export interface History {
  migrations: readonly AppliedMigration[]
  /** The versions whose `migrate` it has seen, in the order of their first. */
  versions: readonly string[]
}

/** A migration as the database remembers it. */
export interface AppliedMigration {
  name: string
  version: string
  kind: string
  sha256: string
}

const NAME = /^(\d{4})_[a-z0-9_]+(?:\.(contract|concurrent))?\.sql$/
const UNDEFINED_TABLE = '42P01'

/** A query for a database's history: one row. */
export const HISTORY = `select
  (select coalesce(json_agg(to_jsonb(migration) order by name), '[]') from public.migrations migration) as migrations,
  (select coalesce(json_agg(version order by place), '[]') from public.versions) as versions`

/**
 * Returns the migrations of a folder, which has a folder for each version: `1.1.0/0002_add_a_column.sql`. Throws an Error if a file
 * has another name, or if the numbers are not 1, 2, 3.
 */
export function listMigrations(root: URL, folder: string): Migration[] {
  const found = readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.sql'),
  )
  const migrations = found.map((path) => {
    const [version = '', name = '', ...rest] = path.split(/[\\/]/)
    const [, number, kind = 'expand'] = NAME.exec(name) ?? []
    if (number === undefined || rest.length > 0)
      throw new Error(`${folder}${path} is not called as a migration: <version>/0002_words.sql`)
    return { name, version, kind: kind as MigrationKind, files: [`${folder}${version}/${name}`] }
  })
  migrations.sort((a, b) => (a.name < b.name ? -1 : 1))
  const wrong = migrations.find(({ name }, place) => numberOf(name) !== place + 1)
  if (wrong) throw new Error(`the numbers of the migrations are not one after the other at ${wrong.name}`)
  return migrations
}

/** Returns the text of a migration, and its hash. */
export async function readMigration({ root }: Schema, { files }: Migration): Promise<{ text: string; sha256: string }> {
  const texts = await Promise.all(files.map((path) => readFile(new URL(path, root), 'utf8')))
  const text = texts.join('\n')
  return { text, sha256: sha256Hex(text) }
}

/** Returns what a database went through; nothing for one that was never migrated. */
export async function readHistory(db: Db): Promise<History> {
  try {
    const { rows } = await db.executeQuery(CompiledQuery.raw(HISTORY) as CompiledQuery<History>)
    return rows[0] ?? { migrations: [], versions: [] }
  } catch (error) {
    if ((error as { code?: string }).code === UNDEFINED_TABLE) return { migrations: [], versions: [] }
    throw error
  }
}

/**
 * Returns the migrations that a database lacks. Those that contract are due once the program of the version that brings them is the
 * only one: to a new database at once, else with `isContracting`, else with the next version.
 */
export function dueMigrations(schema: Schema, { migrations }: History, { isContracting = false } = {}): Migration[] {
  const applied = new Set(migrations.map(({ name }) => name))
  const isNew = applied.size === 0
  return schema.migrations.filter(
    ({ name, kind, version }) =>
      !applied.has(name) && (isNew || isContracting || kind !== 'contract' || version !== schema.version),
  )
}

/** Returns the versions that migrated a database after this program's version did. */
export function laterVersions({ version }: Schema, { versions }: History): string[] {
  const place = versions.indexOf(version)
  return place === -1 ? [] : versions.slice(place + 1)
}

/**
 * Returns why a program must not work on a database, and what to do; undefined if it may. The database may be one version further, as
 * it is while the next version is rolled out, as long as it has not lost what this version uses.
 */
export function misfitOf(schema: Schema, history: History): string | undefined {
  const due = dueMigrations(schema, history)
  if (due.length > 0)
    return `The database waits for migrations: ${due.map(({ name }) => name).join(', ')}. Run ./market migrate of version ${schema.version}.`
  const later = laterVersions(schema, history)
  if (!history.versions.includes(schema.version))
    return `The database was never migrated by version ${schema.version}. Run its ./market migrate.`
  if (later.length > 1)
    return `The database is of version ${later.at(-1)}, more than one after ${schema.version}. Run that version, or the one before it.`
  const contracted = history.migrations.some(({ version, kind }) => later.includes(version) && kind === 'contract')
  if (contracted)
    return `Version ${later[0]} has removed from the database what ${schema.version} uses. Run version ${later[0]}.`
  return undefined
}

/** Throws an Error if a program must not work on a database. The message says what to do. */
export async function refuseMisfit(db: Db, schema: Schema): Promise<void> {
  const misfit = misfitOf(schema, await readHistory(db))
  if (misfit !== undefined) throw new Error(misfit)
}

/** Returns the number that a migration's name begins with; NaN if it begins with none. */
export function numberOf(name: string): number {
  return NAME.test(name) ? Number(name.slice(0, 4)) : Number.NaN
}
