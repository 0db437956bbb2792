import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { Unfit } from './databaseFaults.ts'

const TIMEOUT_MS = 10_000

/**
 * How a pooler between a process and its database, if there is one, treats the connections of its clients.
 */
interface Pooling {
  /**
   * Whether a connection is not one session of the server, so that another client may get what a transaction
   * leaves behind.
   */
  isShared: boolean
  /** Whether a statement named in one transaction may be missing in the next, or be another client's. */
  forgetsStatements: boolean
}

const ASK = 'select pg_catalog.pg_backend_pid() as pid'
// The named statement exists already; the named statement does not exist.
const STATEMENT_ERRORS = ['42P05', '26000']

/**
 * Opens two connections and finds out whether they are two sessions of the server. A transaction pooler gives
 * both the same server process, or gives one of them another process than before. This holds whether it lends
 * the latest process first or each in turn. Throws any error of the database.
 */
async function probePooling(url: string): Promise<Pooling> {
  const first = await connect(url)
  const second = await connect(url).catch(async (error: unknown) => {
    await first.end()
    throw error
  })
  try {
    const order = [first, first, second, second, first, second]
    const asked = new Map([first, second].map((connection) => [connection, new Set<number>()]))
    for (const connection of order)
      for (const { pid } of (await connection.query<{ pid: number }>(ASK)).rows) asked.get(connection)?.add(pid)
    const pids = [...asked.values()].flatMap((found) => [...found])
    const isShared = pids.length !== 2 || new Set(pids).size !== 2
    return { isShared, forgetsStatements: isShared && (await forgetsStatements(order)) }
  } finally {
    await Promise.allSettled([first.end(), second.end()])
  }
}

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString,
    application_name: 'market-probe',
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  })
  // A connection that is lost fails its query.
  client.on('error', () => {})
  await client.connect()
  return client
}

async function forgetsStatements(order: readonly pg.Client[]): Promise<boolean> {
  const named = { text: ASK, name: `probe_${randomUUID()}` }
  try {
    for (const connection of order) await connection.query(named)
    return false
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (STATEMENT_ERRORS.includes(code)) return true
    throw error
  }
}

/**
 * The subject and verb of what needs a session, the variable that has the URL, and the variable to set, if it
 * is another.
 */
export interface SessionNeed {
  variable: string
  needs: string
  cure?: string
}

/**
 * Throws Unfit if a URL leads to a transaction pooler: behind one, LISTEN receives nothing and session locks
 * are shared. Throws any error of the database.
 */
export async function requireSession(url: string, { variable, needs, cure = variable }: SessionNeed): Promise<void> {
  if ((await probePooling(url)).isShared)
    throw new Unfit(
      `${variable} leads to a pooler that lends a connection for one transaction, and ${needs} a session that lasts: ` +
        `set ${cure} to the server itself, or to a pooler of sessions`,
    )
}

/** The URL of the market's database, and the URL that bypasses a transaction pooler, if that is different. */
interface DatabaseUrls {
  DATABASE_URL: string
  DATABASE_SESSION_URL?: string | undefined
}

/**
 * Returns the URL for a session of the process's own: DATABASE_SESSION_URL, by default DATABASE_URL. Throws
 * as requireSession. `needs` is a subject with its verb, for the message.
 */
export async function requireSessionUrl(env: DatabaseUrls, needs: string): Promise<string> {
  const variable = env.DATABASE_SESSION_URL === undefined ? 'DATABASE_URL' : 'DATABASE_SESSION_URL'
  const url = env.DATABASE_SESSION_URL ?? env.DATABASE_URL
  await requireSession(url, { variable, needs, cure: 'DATABASE_SESSION_URL' })
  return url
}

/**
 * Throws Unfit if DATABASE_URL leads to a pooler that keeps no named statements. Throws any error of the
 * database.
 */
export async function requireNamedStatements(databaseUrl: string): Promise<void> {
  if ((await probePooling(databaseUrl)).forgetsStatements)
    throw new Unfit(
      'DATABASE_URL leads to a pooler that lends a connection for one transaction and keeps no prepared statements: ' +
        'set DATABASE_POOLER=transaction, or use one that keeps them, as PgBouncer does from 1.21 on with max_prepared_statements',
    )
}
