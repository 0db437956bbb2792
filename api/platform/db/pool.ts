import { CompiledQuery, Kysely, type LogEvent, type Transaction } from 'kysely'
import pg from 'pg'
import type { Queryable } from '../../../protocol/environment/migrations.ts'
import { recordEnded, recordsSpans } from '../../../protocol/telemetry/trace.ts'
import type { Database } from './generated/tables.ts'
import { SettledDialect } from './internal/settledDialect.ts'
import { LimitedClient, type LimitedConfig, NamingClient, type Pooler } from './internal/statements.ts'

/** A connection pool with our column types. A function that takes a Db also accepts a Tx. */
export type Db = Kysely<Database>

/**
 * A pool of connections to the index of the chain, which is a separate database. It has none of our tables.
 */
export type IndexDb = Kysely<IndexTables>

/** One open transaction of the index. */
export type IndexTx = Transaction<IndexTables>

interface IndexTables {
  'chain._ponder_meta': { key: string; value: unknown }
}

/** One open transaction, which every verb runs in. */
export type Tx = Transaction<Database>

const INT8 = 20
const DATE = 1082
const TIMESTAMPTZ = 1184
const ISO_DATE = /^(?:\d{4,}-\d{2}-\d{2}( BC)?|-?infinity)$/
const ISO_TIME = /^(?:\d{4,}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(?:\.\d+)?[+-]\d{2}(?::\d{2}){0,2}(?: BC)?|-?infinity)$/
const CONNECT_TIMEOUT_MS = 10_000
// A network that drops packets without a word is noticed some ten seconds later.
const KEEP_ALIVE_DELAY_MS = 10_000
// The server keeps a connection's named statements, and the plans of its functions, until the connection
// ends.
const MAX_LIFETIME_SECONDS = 3_600
const MAX_STATEMENT = 500

/**
 * Parses column values: int8 as bigint, a date as its text, because pg makes it midnight in the process's
 * time zone, and everything else as pg does. Throws for a date or a time in another style than ISO, which a
 * role can set for its sessions: pg would read a deadline as null.
 */
export const columnTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => PARSERS.get(oid) ?? pg.types.getTypeParser(oid, format),
}

const PARSERS: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [INT8, BigInt],
  [DATE, (text) => inIsoStyle(text, ISO_DATE)],
  [TIMESTAMPTZ, (text) => asDate(inIsoStyle(text, ISO_TIME))],
])
const readTime = pg.types.getTypeParser(TIMESTAMPTZ, 'text')
const FURTHEST_MS = 8.64e15

// PostgreSQL has times that no Date can be, as infinity. They become the furthest Date, so one row stops no
// reader of many.
function asDate(text: string): Date {
  const time: unknown = readTime(text)
  if (time instanceof Date && !Number.isNaN(time.getTime())) return time
  return new Date(/^-|BC$/.test(text) ? -FURTHEST_MS : FURTHEST_MS)
}

function inIsoStyle(text: string, style: RegExp): string {
  if (style.test(text)) return text
  throw new Error(
    'the database writes dates in another style than ISO: run `./market migrate`, which resets the datestyle of roles',
  )
}

/** The options of a pool besides its database. */
export interface PoolOptions {
  /** The application_name of its connections. */
  name?: string
  max: number
  /**
   * How long a statement may take before its connection is closed, and the statement fails. The server's own
   * limit cannot end the statement of a server that hangs. Default: no limit.
   */
  statementTimeoutMs?: number
  /**
   * The pooler between the process and the database. Behind a transaction pooler no statement is named.
   * Default: none.
   */
  pooler?: Pooler
  /** Called for a connection that dies while idle; the pool opens another one. */
  onError: (error: Error) => void
}

/** Opens a pool of connections to a database. */
export function openPool(databaseUrl: string, options: PoolOptions): Db {
  const Client = options.pooler === 'transaction' ? LimitedClient : NamingClient
  return openKysely<Database>(pgPool(databaseUrl, options, { Client }))
}

/**
 * Opens a pool of connections to the index. Its statements are not named, because Ponder recreates its views.
 * Their time limit is that of the login (roles.ts).
 */
export function openIndexPool(indexUrl: string, options: PoolOptions): IndexDb {
  return openKysely<IndexTables>(pgPool(indexUrl, options, { Client: LimitedClient }))
}

const pools = new WeakMap<object, pg.Pool>()

function openKysely<Tables>(pool: pg.Pool): Kysely<Tables> {
  // Kysely measures each statement where it has a log.
  const db = new Kysely<Tables>({
    dialect: new SettledDialect({ pool }),
    ...(recordsSpans() ? { log: recordStatement } : {}),
  })
  pools.set(db, pool)
  return db
}

/** Records a statement as a span of its trace: its text, in which values are parameters. */
function recordStatement({ query, queryDurationMillis, ...outcome }: LogEvent): void {
  const error = 'error' in outcome ? outcome.error : undefined
  const [operation = ''] = /\w+/.exec(query.sql) ?? []
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': query.sql.slice(0, MAX_STATEMENT) }
  recordEnded(`postgresql ${operation}`, queryDurationMillis, attributes, error)
}

/** Returns a pool as the checks of a start query it. */
export function queryable(db: Db | IndexDb): Queryable {
  return { query: (text) => db.executeQuery(CompiledQuery.raw(text)) }
}

/**
 * How a pool is used: its connections, those of them that are idle, the most there may be, and who waits for
 * one.
 */
export interface PoolUse {
  total: number
  idle: number
  most: number
  waiting: number
}

/** Returns how the pool of a database is used. Throws if it was not opened here. */
export function useOf(db: Db | IndexDb): PoolUse {
  const pool = pools.get(db)
  if (!pool) throw new Error('the database has no pool of ours')
  return { total: pool.totalCount, idle: pool.idleCount, most: pool.options.max, waiting: pool.waitingCount }
}

function pgPool(
  connectionString: string,
  { name = 'market', max, statementTimeoutMs, onError }: PoolOptions,
  others: Pick<pg.PoolConfig, 'Client'>,
): pg.Pool {
  const config: LimitedConfig & pg.PoolConfig = {
    ...{ connectionString, application_name: name, max, types: columnTypes, ...others },
    ...{
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    },
    maxLifetimeSeconds: MAX_LIFETIME_SECONDS,
    statementTimeoutMs,
  }
  const pool = new pg.Pool(config)
  pool.on('error', onError)
  // pg ends the process on an 'error' event without a listener, and the pool listens only to idle
  // connections. A connection that is lost in use fails its query, and the pool does not reuse it.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}
