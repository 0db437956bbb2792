import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import { preparingPool } from './client.ts'
import type { Database } from './schema.ts'

/** A connection pool with our column types. */
export type Db = Kysely<Database>

/** One open transaction: what every verb works in. */
export type Tx = Transaction<Database>

const INT8 = 20
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? (text: string) => BigInt(text) : pg.types.getTypeParser(oid, format),
}

/** Opens a pool. int8 columns are bigints. A connection that dies is replaced; `onError` hears of those lost while idle. */
export function openPool(databaseUrl: string, options: { max: number; onError: (error: Error) => void }): Db {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: options.max, types })
  pool.on('error', options.onError)
  // The pool listens to idle connections alone, and an error that nobody hears ends the process. One that is lost in use
  // is told by its next query, and not given out again.
  pool.on('connect', (client) => client.on('error', () => {}))
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool: preparingPool(pool) }) })
}
