import pg from 'pg'
import { prepareIndexDatabase } from '../../../api/platform/db/indexDatabase.ts'
import { migrate } from '../../../api/platform/db/migrate.ts'
import { MissingRoles } from '../../../api/platform/db/roles.ts'
import { installSandboxClock } from '../../../api/sandbox/install.ts'
import { schema } from '../../../api/schema.ts'
import { enableIndexRoles, enableRoles, type IndexUrls, type RoleUrls } from '../postgres/roleLogins.ts'

const DATABASE = 'market'
const FORBIDDEN = '42501'
const DUPLICATE_DATABASE = '42P04'

/** The logins of a sandbox's processes to its two databases. */
export interface SandboxLogins {
  roleUrls: RoleUrls
  indexUrls: IndexUrls
}

/** Creates the sandbox's database on a server of our own. Returns its connection string. */
export async function createDatabase(adminUrl: string): Promise<string> {
  await query(adminUrl, `create database ${DATABASE}`)
  // The login of a process can connect only to its own database.
  await query(adminUrl, 'revoke connect, temporary on database postgres, template1 from public')
  const url = new URL(adminUrl)
  url.pathname = `/${DATABASE}`
  return url.href
}

/**
 * Creates the database of the index beside the sandbox's, where it is missing. Returns its connection string.
 * Throws an Error that says what to set if the owner may not create databases.
 */
export async function createIndexDatabase(databaseUrl: string): Promise<string> {
  const url = new URL(databaseUrl)
  const name = `${decodeURIComponent(url.pathname.slice(1))}_index`
  url.pathname = `/${encodeURIComponent(name)}`
  try {
    await query(databaseUrl, `create database ${pg.escapeIdentifier(name)}`)
  } catch (error) {
    const code = error instanceof pg.DatabaseError ? error.code : undefined
    if (code === FORBIDDEN)
      throw new Error(
        'The user of DATABASE_URL may not create the database of the index: set INDEX_DATABASE_URL to one.',
      )
    if (code !== DUPLICATE_DATABASE) throw error
  }
  return url.href
}

/** Returns whether a sandbox has used this database before. */
export async function isUsed(databaseUrl: string): Promise<boolean> {
  return (await query(databaseUrl, `select from pg_namespace where nspname = 'market'`)) > 0
}

/**
 * Migrates the database, installs the movable clock, prepares the index's database, and enables the roles of
 * the processes. Returns their logins. If the owner may not create roles or set their passwords, all
 * processes of this sandbox run as the owner, and `onNotice` says so.
 */
export async function prepareDatabases(
  databaseUrl: string,
  indexUrl: string,
  onNotice: (notice: string) => void,
): Promise<SandboxLogins> {
  try {
    await migrate(databaseUrl, schema, { contract: true })
    await installSandboxClock(databaseUrl)
    await prepareIndexDatabase(indexUrl)
    return { roleUrls: await enableRoles(databaseUrl), indexUrls: await enableIndexRoles(indexUrl) }
  } catch (error) {
    if (!isForbidden(error)) throw error
  }
  onNotice(
    'The user of DATABASE_URL may not manage roles: all processes run as the owner of the database, in a sandbox only.',
  )
  await migrate(databaseUrl, schema, { roles: false, contract: true })
  await installSandboxClock(databaseUrl)
  return {
    roleUrls: { api: databaseUrl, worker: databaseUrl, facilitator: databaseUrl },
    indexUrls: { indexer: indexUrl, reader: indexUrl },
  }
}

function isForbidden(error: unknown): boolean {
  return error instanceof MissingRoles || (error instanceof pg.DatabaseError && error.code === FORBIDDEN)
}

async function query(url: string, text: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rowCount ?? 0
  } finally {
    await client.end()
  }
}
