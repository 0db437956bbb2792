import pg from 'pg'
import { migrate } from '../api/platform/db/migrate.ts'
import { MissingRoles } from '../api/platform/db/roles.ts'
import { installSandboxClock } from '../api/sandbox/install.ts'
import { enableRoles, type RoleUrls } from './postgres/roleLogins.ts'

const DATABASE = 'market'
const FORBIDDEN = '42501'

/** Creates the sandbox's database on a server of our own. Returns its connection string. */
export async function createDatabase(adminUrl: string): Promise<string> {
  await query(adminUrl, `create database ${DATABASE}`)
  const url = new URL(adminUrl)
  url.pathname = `/${DATABASE}`
  return url.href
}

/** Returns whether a sandbox has used this database before. */
export async function isUsed(databaseUrl: string): Promise<boolean> {
  return (await query(databaseUrl, `select from pg_namespace where nspname = 'market'`)) > 0
}

/**
 * Migrates the database, installs the movable clock, and enables the roles of the processes. Returns their URLs. If the
 * owner may not create roles or set their passwords, all processes of this sandbox run as the owner, and `onNotice` says
 * so.
 */
export async function prepareDatabase(databaseUrl: string, onNotice: (notice: string) => void): Promise<RoleUrls> {
  try {
    await migrate(databaseUrl)
    await installSandboxClock(databaseUrl)
    return await enableRoles(databaseUrl)
  } catch (error) {
    if (!isForbidden(error)) throw error
  }
  onNotice(
    'The user of DATABASE_URL may not manage roles: all processes run as the owner of the database, in a sandbox only.',
  )
  await migrate(databaseUrl, { roles: false })
  await installSandboxClock(databaseUrl)
  return { api: databaseUrl, facilitator: databaseUrl, indexer: databaseUrl }
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
