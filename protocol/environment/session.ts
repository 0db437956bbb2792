import pg from 'pg'
import { requireEmptySearchPath } from './databaseFaults.ts'

/** The application_name of a session, and how long it waits for its connection and for each answer. */
interface SessionOptions {
  name: string
  limitMs?: number
}

/**
 * Lends a session of a database, in a transaction that changes nothing. Throws Unfit if its search path is
 * not empty, because names could then mean what somebody else chose; and any error of the database.
 */
export async function withSession<Result>(
  url: string,
  { name, limitMs = 10_000 }: SessionOptions,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: limitMs,
    query_timeout: limitMs,
  })
  // A connection that is lost fails its query.
  client.on('error', () => {})
  await client.connect()
  try {
    // The role may have set a limit for its sessions that would end each check. A pooler lends the session to
    // others after this transaction.
    await client.query(`begin read only; set local statement_timeout = ${limitMs}`)
    await requireEmptySearchPath(client)
    return await work(client)
  } finally {
    await client.query('rollback').catch(() => {})
    await client.end()
  }
}
