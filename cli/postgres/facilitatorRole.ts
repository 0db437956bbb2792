import { createHash } from 'node:crypto'
import pg from 'pg'

const ROLE = 'market_facilitator'

/**
 * Lets the facilitator's role log in, and answers the connection string it uses. The database must be migrated. The
 * password follows from the server's own credentials: a role belongs to the server, and sandboxes side by side must
 * agree on it.
 */
export async function enableFacilitatorRole(databaseUrl: string): Promise<string> {
  const { password, url } = facilitatorLogin(databaseUrl)
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(`alter role ${ROLE} login password ${client.escapeLiteral(password)}`)
  } finally {
    await client.end()
  }
  return url
}

/** How the facilitator logs in to a database of a server on which its role was enabled. */
export function facilitatorLogin(databaseUrl: string): { password: string; url: string } {
  const url = new URL(databaseUrl)
  const password = createHash('sha256')
    .update(`facilitator of ${url.username}:${url.password}@${url.host}`)
    .digest('hex')
  url.username = ROLE
  url.password = password
  return { password, url: url.href }
}
