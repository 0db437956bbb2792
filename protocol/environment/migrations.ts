import { readdirSync } from 'node:fs'

/**
 * When a migration is applied. `expand`: while the processes of the former version run. `concurrent`:
 * likewise, and it builds one index outside a transaction, so that writers go on. `contract`: once no process
 * of the former version runs any more.
 */
type MigrationKind = 'expand' | 'concurrent' | 'contract'

/** A step from one schema to the next. It is applied once, and never changes after its release. */
export interface Migration {
  /** Its file's name, which begins with its number. */
  name: string
  /** The version that brings it. */
  version: string
  kind: MigrationKind
  /** Its text, file by file, relative to the folder of the program. */
  files: readonly string[]
}

/** What a version of the program makes of a database. */
export interface Program {
  version: string
  /** In the order of application. */
  migrations: readonly Migration[]
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

/** A session of a database, or a pool of sessions. */
export interface Queryable {
  query: (text: string) => Promise<{ rows: unknown[] }>
}

// A table or a function does not exist.
const UNDEFINED = ['42P01', '42883']

/** A query for a database's history: one row. */
export const HISTORY = `select
  (select coalesce(json_agg(to_jsonb(migration) order by name), '[]'::json) from public.migrations migration) as migrations,
  (select coalesce(json_agg(version order by place), '[]'::json) from public.versions) as versions`

/** The same, for the facilitator: its role may not read the tables. */
export const HISTORY_FOR_FACILITATOR = 'select migrations, versions from public.schema_history()'

/** Returns the history of a database; an empty one if it was never migrated. Throws any other error of it. */
export async function readHistory(database: Queryable, query = HISTORY): Promise<History> {
  const nothing: History = { migrations: [], versions: [] }
  try {
    const [history] = (await database.query(query)).rows as History[]
    return history ?? nothing
  } catch (error) {
    if (UNDEFINED.includes((error as { code?: string }).code ?? '')) return nothing
    throw error
  }
}

/**
 * Returns the migrations of a folder, which has a folder for each version: `1.1.0/0002_add_a_column.sql`.
 * Throws an Error if a file has another name, or if the numbers are not 1, 2, 3.
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

/**
 * Returns the migrations that a database lacks. Those that contract are due once the program of the version
 * that brings them is the only one: to a new database at once, else with `isContracting`, else with the next
 * version.
 */
export function dueMigrations(program: Program, { migrations }: History, { isContracting = false } = {}): Migration[] {
  const applied = new Set(migrations.map(({ name }) => name))
  const isNew = applied.size === 0
  return program.migrations.filter(
    ({ name, kind, version }) =>
      !applied.has(name) && (isNew || isContracting || kind !== 'contract' || version !== program.version),
  )
}

/** Returns the versions that migrated a database after this program's version did. */
export function laterVersions({ version }: Program, { versions }: History): string[] {
  const place = versions.indexOf(version)
  return place === -1 ? [] : versions.slice(place + 1)
}

/**
 * Returns why a program must not work on a database, and what to do; undefined if it may. The database may be
 * one version further, as it is while the next version is rolled out, as long as it has not lost what this
 * version uses.
 */
export function misfitOf(program: Program, history: History): string | undefined {
  const due = dueMigrations(program, history)
  if (due.length > 0)
    return `The database waits for migrations: ${due.map(({ name }) => name).join(', ')}. Run ./market migrate of version ${program.version}.`
  const later = laterVersions(program, history)
  if (!history.versions.includes(program.version))
    return `The database was never migrated by version ${program.version}. Run its ./market migrate.`
  if (later.length > 1)
    return `The database is of version ${later.at(-1)}, more than one after ${program.version}. Run that version, or the one before it.`
  const contracted = history.migrations.some(({ version, kind }) => later.includes(version) && kind === 'contract')
  if (contracted)
    return `Version ${later[0]} has removed from the database what ${program.version} uses. Run version ${later[0]}.`
  return undefined
}

/** Returns the number that a migration's name begins with; NaN if it begins with none. */
export function numberOf(name: string): number {
  return NAME.test(name) ? Number(name.slice(0, 4)) : Number.NaN
}
