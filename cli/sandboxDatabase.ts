import pg from 'pg'
import { migrate } from '../api/db/migrate.ts'
import { installSandboxClock } from '../api/sandbox/install.ts'
import { enableFacilitatorRole } from './postgres/facilitatorRole.ts'

const DATABASE = 'market'

/** Makes the sandbox's database on a server of our own. Answers its connection string. */
export async function createDatabase(adminUrl: string): Promise<string> {
  await query(adminUrl, `create database ${DATABASE}`)
  const url = new URL(adminUrl)
  url.pathname = `/${DATABASE}`
  return url.href
}

/** Whether a sandbox used this database before. */
export async function isUsed(databaseUrl: string): Promise<boolean> {
  return (await query(databaseUrl, `select from pg_namespace where nspname = 'market'`)) > 0
}

/** Migrates the database, gives it the clock that can be moved, and lets the facilitator in. Answers the latter's URL. */
export async function prepareDatabase(databaseUrl: string): Promise<string> {
  await migrate(databaseUrl)
  await installSandboxClock(databaseUrl)
  return enableFacilitatorRole(databaseUrl)
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
