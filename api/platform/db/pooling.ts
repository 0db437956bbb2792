import {
  type Pooling,
  probePooling,
  type SessionNeed,
  sessionFault,
  statementFault,
} from '../../../protocol/environment/pooler.ts'
import { LimitedClient } from './internal/statements.ts'

const TIMEOUT_MS = 10_000

/** The URL of the market's database, and the URL that bypasses a transaction pooler, if that is different. */
interface DatabaseUrls {
  DATABASE_URL: string
  DATABASE_SESSION_URL?: string | undefined
}

/**
 * Throws an Error if a URL leads to a transaction pooler: behind one, LISTEN receives nothing and session
 * locks are shared.
 */
export async function requireSession(databaseUrl: string, need: SessionNeed): Promise<void> {
  refuse(sessionFault(await pooling(databaseUrl), need))
}

/**
 * Returns the URL for a session of the process's own: DATABASE_SESSION_URL, by default DATABASE_URL. Throws
 * an Error if it leads to a transaction pooler. `needs` is a subject with its verb, for the message.
 */
export async function requireSessionUrl(env: DatabaseUrls, needs: string): Promise<string> {
  const variable = env.DATABASE_SESSION_URL === undefined ? 'DATABASE_URL' : 'DATABASE_SESSION_URL'
  const url = env.DATABASE_SESSION_URL ?? env.DATABASE_URL
  await requireSession(url, { variable, needs, cure: 'DATABASE_SESSION_URL' })
  return url
}

/** Throws an Error if a URL leads to a pooler that does not keep named statements. */
export async function requireNamedStatements(databaseUrl: string): Promise<void> {
  refuse(statementFault(await pooling(databaseUrl)))
}

function refuse(fault: string | undefined): void {
  if (fault !== undefined) throw new Error(fault)
}

function pooling(connectionString: string): Promise<Pooling> {
  return probePooling(async () => {
    const limits = { connectionTimeoutMillis: TIMEOUT_MS, statementTimeoutMs: TIMEOUT_MS }
    const client = new LimitedClient({ connectionString, ...limits })
    // A connection that is lost fails its query.
    client.on('error', () => {})
    await client.connect()
    return client
  })
}
