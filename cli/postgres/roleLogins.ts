import { createHash } from 'node:crypto'
import pg from 'pg'

const ROLES = { api: 'market_api', facilitator: 'market_facilitator', indexer: 'market_indexer' } as const

/** The connection strings of one database, by who connects: `api` is also the worker's. */
export type RoleUrls = Record<keyof typeof ROLES, string>

/**
 * Enables the roles of our processes to log in, and returns their connection strings. The database must be migrated.
 * Passwords are derived from the server's own credentials: a role belongs to the server, and sandboxes on the same server
 * must agree on it. Throws any error of pg, with code 42501 if the database's owner may not change the roles.
 */
export async function enableRoles(databaseUrl: string): Promise<RoleUrls> {
  const urls = roleUrls(databaseUrl)
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    for (const url of Object.values(urls)) {
      const { username, password } = new URL(url)
      await client.query(`alter role ${username} login password ${client.escapeLiteral(password)}`)
    }
  } finally {
    await client.end()
  }
  return urls
}

/** Returns the logins to a database of a server on which the roles were enabled. */
export function roleUrls(databaseUrl: string): RoleUrls {
  const login = (who: keyof RoleUrls) => {
    const url = new URL(databaseUrl)
    const { username, password, host } = url
    url.username = ROLES[who]
    url.password = createHash('sha256').update(`${who} of ${username}:${password}@${host}`).digest('hex')
    return url.href
  }
  return { api: login('api'), facilitator: login('facilitator'), indexer: login('indexer') }
}
