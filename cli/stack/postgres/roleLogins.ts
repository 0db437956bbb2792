import { createHash } from 'node:crypto'
import pg from 'pg'

const MARKET_ROLES = { api: 'market_api', worker: 'market_worker', facilitator: 'market_facilitator' } as const
const INDEX_ROLES = { indexer: 'market_indexer', reader: 'market_index_reader' } as const

/** The connection strings of the market's database, by who connects. */
export type RoleUrls = Record<keyof typeof MARKET_ROLES, string>

/** The connection strings of the index, by who connects: `reader` is the api and the worker. */
export type IndexUrls = Record<keyof typeof INDEX_ROLES, string>

/**
 * Enables the roles of the market's database to log in, and returns their connection strings. The database
 * must be migrated. Passwords are derived from the server's own credentials: a role belongs to the server,
 * and sandboxes on the same server must agree on it. Throws any error of pg, with code 42501 if the
 * database's owner may not change the roles.
 */
export async function enableRoles(databaseUrl: string): Promise<RoleUrls> {
  const urls = roleUrls(databaseUrl)
  await enable(databaseUrl, Object.values(urls))
  return urls
}

/** Enables the roles of the index, whose database must be prepared. As `enableRoles`. */
export async function enableIndexRoles(indexUrl: string): Promise<IndexUrls> {
  const urls = indexUrls(indexUrl)
  await enable(indexUrl, Object.values(urls))
  return urls
}

/** Returns the logins to a market's database, on a server on which the roles were enabled. */
export function roleUrls(databaseUrl: string): RoleUrls {
  const login = (who: keyof RoleUrls) => loginOf(databaseUrl, who, MARKET_ROLES[who])
  return { api: login('api'), worker: login('worker'), facilitator: login('facilitator') }
}

/** Returns the logins to an index, on a server on which its roles were enabled. */
export function indexUrls(indexUrl: string): IndexUrls {
  const login = (who: keyof IndexUrls) => loginOf(indexUrl, who, INDEX_ROLES[who])
  return { indexer: login('indexer'), reader: login('reader') }
}

function loginOf(databaseUrl: string, who: string, role: string): string {
  const url = new URL(databaseUrl)
  const { username, password, host } = url
  url.username = role
  url.password = createHash('sha256').update(`${who} of ${username}:${password}@${host}`).digest('hex')
  return url.href
}

async function enable(ownerUrl: string, urls: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    for (const url of urls) {
      const { username, password } = new URL(url)
      await client.query(`alter role ${username} login password ${client.escapeLiteral(password)}`)
    }
  } finally {
    await client.end()
  }
}
