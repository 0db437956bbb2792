import pg from 'pg'
import { migrate } from '../../../api/platform/db/migrate.ts'
import { schema } from '../../../api/schema.ts'
import { enableRoles } from '../../../cli/stack/postgres/roleLogins.ts'
import { startTestServer } from '../../../cli/stack/postgres/testServer.ts'

const TEMPLATE = 'market_template'
// Any constant: whoever makes the template holds it, the others wait.
const TEMPLATE_LOCK = 1_701_994_606n
let adminUrl: Promise<string> | undefined

/**
 * The Postgres server of this test run: the one of DATABASE_ADMIN_URL, or, where a test file runs alone, one
 * of its own that ends with it.
 */
export function serverUrl(): Promise<string> {
  adminUrl ??= process.env.DATABASE_ADMIN_URL ? Promise.resolve(process.env.DATABASE_ADMIN_URL) : startTestServer()
  return adminUrl
}

/** The migrated database that test databases are copies of; made by whoever comes first. Answers its name. */
export async function ensureTemplate(serverUrl: string): Promise<string> {
  const admin = new pg.Client({ connectionString: serverUrl })
  await admin.connect()
  try {
    await admin.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK])
    const { rowCount } = await admin.query('select from pg_database where datname = $1', [TEMPLATE])
    if (!rowCount) await makeTemplate(admin, serverUrl)
    return TEMPLATE
  } finally {
    await admin.end()
  }
}

/** The same server, another database. */
export function withDatabase(serverUrl: string, database: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}

async function makeTemplate(admin: pg.Client, serverUrl: string): Promise<void> {
  const unfinished = `${TEMPLATE}_unfinished`
  await admin.query(`drop database if exists ${unfinished} with (force)`)
  await admin.query(`create database ${unfinished}`)
  await migrate(withDatabase(serverUrl, unfinished), schema)
  await enableRoles(withDatabase(serverUrl, unfinished))
  await admin.query(`alter database ${unfinished} with allow_connections false is_template true`)
  await admin.query(`alter database ${unfinished} rename to ${TEMPLATE}`)
}
