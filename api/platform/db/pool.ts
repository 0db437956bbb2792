import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import type { Database } from './schema.ts'

/** A connection pool with our column types. A function that takes a Db also accepts a Tx. */
export type Db = Kysely<Database>

/** One open transaction, which every verb runs in. */
export type Tx = Transaction<Database>

const INT8 = 20

/** Parses column values: int8 as bigint, everything else as pg does. */
export const columnTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === INT8 ? BigInt : pg.types.getTypeParser(oid, format)),
}

/** The options of a pool besides its database. */
export interface PoolOptions {
  /** The application_name of its connections. */
  name?: string
  max: number
  /** Called for a connection that dies while idle; the pool opens another one. */
  onError: (error: Error) => void
}

/** Opens a pool of connections to a database. */
export function openPool(databaseUrl: string, { name = 'market', max, onError }: PoolOptions): Db {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    application_name: name,
    max,
    types: columnTypes,
  })
  pool.on('error', onError)
  // pg ends the process on an 'error' event without a listener, and the pool listens to idle connections only. A connection
  // that is lost in use fails its query, and the pool does not lend it again.
  pool.on('connect', (client) => client.on('error', () => {}))
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
}
