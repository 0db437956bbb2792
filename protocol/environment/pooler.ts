import { randomUUID } from 'node:crypto'

/** One connection of a client, as `pg.Client` is. */
export interface ProbeConnection {
  query: (query: { text: string; name?: string }) => Promise<{ rows: { pid: number }[] }>
  end: () => Promise<void>
}

/**
 * How a pooler between a process and its database, if there is one, treats the connections of its clients.
 */
export interface Pooling {
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
export async function probePooling(connect: () => Promise<ProbeConnection>): Promise<Pooling> {
  const first = await connect()
  const second = await connect().catch(async (error: unknown) => {
    await first.end()
    throw error
  })
  try {
    const order = [first, first, second, second, first, second]
    const asked = new Map([first, second].map((connection) => [connection, new Set<number>()]))
    for (const connection of order)
      for (const { pid } of (await connection.query({ text: ASK })).rows) asked.get(connection)?.add(pid)
    const pids = [...asked.values()].flatMap((found) => [...found])
    const isShared = pids.length !== 2 || new Set(pids).size !== 2
    return { isShared, forgetsStatements: isShared && (await forgetsStatements(order)) }
  } finally {
    await Promise.allSettled([first.end(), second.end()])
  }
}

async function forgetsStatements(order: readonly ProbeConnection[]): Promise<boolean> {
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
 * Returns why a process cannot use this URL for work that needs a session of its own, or undefined if it can.
 */
export function sessionFault(
  { isShared }: Pooling,
  { variable, needs, cure = variable }: SessionNeed,
): string | undefined {
  return isShared
    ? `${variable} leads to a pooler that lends a connection for one transaction, and ${needs} a session that lasts: ` +
        `set ${cure} to the server itself, or to a pooler of sessions`
    : undefined
}

/** Returns why a process cannot use named statements at this URL, or undefined if it can. */
export function statementFault({ forgetsStatements }: Pooling): string | undefined {
  return forgetsStatements
    ? 'DATABASE_URL leads to a pooler that lends a connection for one transaction and keeps no prepared statements: ' +
        'set DATABASE_POOLER=transaction, or use one that keeps them, as PgBouncer does from 1.21 on with max_prepared_statements'
    : undefined
}
