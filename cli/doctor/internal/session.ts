import pg from 'pg'
import { SEARCH_PATH, type SearchPath, searchPathFault } from '../../../protocol/environment/searchPath.ts'
import { LIMIT_MS } from './check.ts'

/**
 * Lends a session of a database. Throws an Error if the search path is not empty, because names could then
 * mean what somebody else chose; and any error of the database.
 */
export async function withSession<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'market-doctor',
    connectionTimeoutMillis: LIMIT_MS,
    query_timeout: LIMIT_MS,
  })
  client.on('error', () => {})
  await client.connect()
  try {
    // The role may have set a limit for its sessions that would end each check.
    await client.query(`set statement_timeout = ${LIMIT_MS}`)
    const fault = searchPathFault((await client.query<SearchPath>(SEARCH_PATH)).rows)
    if (fault !== undefined) throw new Error(fault)
    return await work(client)
  } finally {
    await client.end()
  }
}
