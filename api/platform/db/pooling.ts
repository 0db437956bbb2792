import pg from 'pg'
import {
  type Pooling,
  probePooling,
  type SessionNeed,
  sessionFault,
  statementFault,
} from '../../../protocol/environment/pooler.ts'

const CONNECT_TIMEOUT_MS = 10_000

/** Where the market's database is, and where it is without a pooler of transactions, if that is elsewhere. */
interface DatabaseUrls {
  DATABASE_URL: string
  DATABASE_SESSION_URL?: string | undefined
}

/** Throws an Error if a URL leads to a pooler of transactions, behind which nothing is heard and locks are anybody's. */
export async function requireSession(databaseUrl: string, need: SessionNeed): Promise<void> {
  refuse(sessionFault(await pooling(databaseUrl), need))
}

/**
 * Returns the URL by which a process has a session of its own: DATABASE_SESSION_URL, by default DATABASE_URL. Throws an Error
 * if a pooler of transactions stands there. `needs` is a subject with its verb.
 */
export async function requireSessionUrl(env: DatabaseUrls, needs: string): Promise<string> {
  const variable = env.DATABASE_SESSION_URL === undefined ? 'DATABASE_URL' : 'DATABASE_SESSION_URL'
  const url = env.DATABASE_SESSION_URL ?? env.DATABASE_URL
  await requireSession(url, { variable, needs, cure: 'DATABASE_SESSION_URL' })
  return url
}

/** Throws an Error if a URL leads to a pooler that keeps no named statement. */
export async function requireNamedStatements(databaseUrl: string): Promise<void> {
  refuse(statementFault(await pooling(databaseUrl)))
}

function refuse(fault: string | undefined): void {
  if (fault !== undefined) throw new Error(fault)
}

function pooling(connectionString: string): Promise<Pooling> {
  return probePooling(async () => {
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
    // A connection that is lost fails its query.
    client.on('error', () => {})
    await client.connect()
    return client
  })
}
