import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import { sessionPool } from './client.ts'
import { type Runner, runBy, sayBy } from './runner.ts'
import type { Database } from './schema.ts'
import { Session } from './session.ts'

/** A connection pool with our column types. */
export type Db = Kysely<Database>

/** One open transaction: what every verb works in. */
export type Tx = Transaction<Database>

const pools = new WeakMap<Db, pg.Pool>()

/** Opens a pool. int8 columns are bigints. A connection that dies is replaced; `onError` hears of those lost while idle. */
export function openPool(databaseUrl: string, options: { max: number; onError: (error: Error) => void }): Db {
  // Once open, a connection stays: it keeps the plans of shared statements, and each use would set a timer and stop it again.
  const pool = new pg.Pool({ connectionString: databaseUrl, max: options.max, idleTimeoutMillis: 0 })
  pool.on('error', options.onError)
  // The pool listens to idle connections alone, and an error that nobody hears ends the process. One that is lost in use
  // is told by its next query, and not given out again.
  pool.on('connect', (client) => client.on('error', () => {}))
  const db = new PooledKysely(pool)
  pools.set(db, pool)
  const run = async (text: string, values: readonly unknown[]) => {
    const session = new Session(await pool.connect())
    try {
      return await session.run(text, values)
    } finally {
      session.release(false)
    }
  }
  runBy(db, { run, say: sayBy(run) })
  return db
}

/** A connection of the pool's, to be released. */
export async function borrow(db: Db): Promise<Session> {
  const pool = pools.get(db)
  if (!pool) throw new Error('a transaction is begun on a pool, and on nothing else')
  return new Session(await pool.connect())
}

/**
 * Runs the shared statements that `speak` says before it first waits: on one connection, outside a transaction of ours. They
 * travel together and succeed or fail together. The connection goes back when they are over, and is not held for whatever
 * becomes of their answers: that may need another, and where all wait for another's there is none.
 */
export async function inOneTurn<Answer>(db: Db, speak: (session: Runner) => Promise<Answer>): Promise<Answer> {
  const session = await borrow(db)
  const said: Promise<unknown>[] = []
  let isOver = false
  const run: Runner['run'] = (text, values) => {
    if (isOver) throw new Error('a statement came after its turn')
    const done = session.join(text, values)
    said.push(done)
    return done
  }
  try {
    return speak({ run, say: sayBy(run) })
  } finally {
    isOver = true
    void Promise.allSettled(said).then(() => session.release(false))
  }
}

// Kysely ends only a pool that it has used itself.
class PooledKysely extends Kysely<Database> {
  readonly #pool: pg.Pool

  constructor(pool: pg.Pool) {
    super({ dialect: new PostgresDialect({ pool: sessionPool(pool) }) })
    this.#pool = pool
  }

  override async destroy(): Promise<void> {
    await super.destroy()
    if (!this.#pool.ending) await this.#pool.end()
  }
}
