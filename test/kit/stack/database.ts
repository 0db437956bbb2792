import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { connectPrivileges } from '../../../api/platform/db/roles.ts'
import { STATE_DIR } from '../../../cli/machine/paths.ts'
import { launch, untilReady } from '../../../cli/machine/process.ts'
import { createCluster } from '../../../cli/stack/postgres/cluster.ts'
import { enableRoles, type RoleUrls, roleUrls } from '../../../cli/stack/postgres/roleLogins.ts'
import type { TestIndex } from './indexDatabase.ts'
import { ensureTemplate, serverUrl, withDatabase } from './server.ts'

/** A migrated database of a test's own. */
export interface TestDatabase {
  /** As the owner, who may do everything: for a test's own pokes. */
  url: string
  /** As the roles of our processes. */
  roleUrls: RoleUrls
  /**
   * Keeps a copy of the database as it is now. Whoever is connected is cut off, and may connect again
   * afterwards.
   */
  save: () => Promise<void>
  /** Puts the saved copy back in place of the database, cutting off whoever is connected. */
  restore: () => Promise<void>
  /** Drops the database, cutting off whoever is connected. */
  stop: () => Promise<void>
}

/** A copy of the migrated template, made in a fraction of a second on the Postgres server of the test run. */
export async function startDatabase(): Promise<TestDatabase> {
  return copyTemplate(await serverUrl())
}

/** The same on a durable server of its own, which ends with this process: for measurements. */
export async function startDurableDatabase(): Promise<TestDatabase> {
  const cluster = await createCluster({ durable: true })
  const started = launch(cluster.spec, join(STATE_DIR, `logs/test/postgres-${process.pid}.log`))
  await untilReady(cluster.spec, started)
  started.unref()
  return copyTemplate(cluster.adminUrl)
}

/** A copy of the migrated template on a given server. */
export async function copyTemplate(server: string): Promise<TestDatabase> {
  const database = await createDatabase(server, await ensureTemplate(server))
  await asAdmin(server, ...ownPrivileges(new URL(database.url).pathname.slice(1)))
  return database
}

/** A database that the `migrate` of the program in `root` has made, with that of an index. */
export async function migratedBy(root: string, server: string, index: TestIndex): Promise<TestDatabase> {
  const database = await createDatabase(server, 'template1')
  const env = { PATH: process.env.PATH ?? '', DATABASE_URL: database.url, INDEX_DATABASE_URL: index.url }
  await promisify(execFile)(process.execPath, [join(root, 'cli/main.ts'), 'migrate'], { env })
  await enableRoles(database.url)
  return database
}

async function createDatabase(server: string, template: string): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const saved = `${name}_saved`
  // By copying files: the default writes it all into the log as well.
  await asAdmin(server, `create database ${name} template ${template} strategy file_copy`)
  const url = withDatabase(server, name)
  return {
    url,
    roleUrls: roleUrls(url),
    save: () =>
      asAdmin(
        server,
        `drop database if exists ${saved}`,
        // A copy can be made only of a database that nobody is connected to.
        `alter database ${name} allow_connections false`,
        `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`,
        `create database ${saved} template ${name}`,
        `alter database ${name} allow_connections true`,
      ),
    restore: () =>
      asAdmin(
        server,
        `alter database ${name} allow_connections false`,
        `drop database ${name} with (force)`,
        `create database ${name} template ${saved}`,
        ...ownPrivileges(name),
      ),
    stop: () =>
      asAdmin(server, `drop database if exists ${name} with (force)`, `drop database if exists ${saved} with (force)`),
  }
}

/** What no copy of a database has: the settings and privileges of the database itself. */
function ownPrivileges(database: string): string[] {
  return [`alter database ${database} set search_path = ''`, ...connectPrivileges('market', database)]
}

async function asAdmin(server: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}
