import { randomUUID } from 'node:crypto'

/** One connection of a client, as `pg.Client` is. */
export interface ProbeConnection {
  query: (query: { text: string; name?: string }) => Promise<{ rows: { pid: number }[] }>
  end: () => Promise<void>
}

/** What stands between a process and its database does with the connections of its clients. */
export interface Pooling {
  /** A connection is not one session of the server: what a transaction leaves behind is another client's. */
  isShared: boolean
  /** A statement that was named in one transaction is not there in the next, or is another client's. */
  forgetsStatements: boolean
}

const ASK = 'select pg_catalog.pg_backend_pid() as pid'
// A statement that is there already, and one that is not.
const STATEMENT_ERRORS = ['42P05', '26000']

/**
 * Finds out by two connections whether they are two sessions of the server. A pooler of transactions gives both the same server
 * process, or one of them another process than before, whichever order it lends its own in: the same one first, or each in turn.
 * Throws what the database throws.
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

/** What needs a session, as a subject with its verb; the variable that has the URL, and the one to set instead if another. */
export interface SessionNeed {
  variable: string
  needs: string
  cure?: string
}

/** Returns why a process cannot do by this URL what needs a session of its own, or undefined if it can. */
export function sessionFault(
  { isShared }: Pooling,
  { variable, needs, cure = variable }: SessionNeed,
): string | undefined {
  return isShared
    ? `${variable} leads to a pooler that lends a connection for one transaction, and ${needs} a session that lasts: ` +
        `set ${cure} to the server itself, or to a pooler of sessions`
    : undefined
}

/** Returns why a process cannot name its statements by this URL, or undefined if it can. */
export function statementFault({ forgetsStatements }: Pooling): string | undefined {
  return forgetsStatements
    ? 'DATABASE_URL leads to a pooler that lends a connection for one transaction and keeps no prepared statements: ' +
        'set DATABASE_POOLER=transaction, or use one that keeps them, as PgBouncer does from 1.21 on with max_prepared_statements'
    : undefined
}
