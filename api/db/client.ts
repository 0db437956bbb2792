import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type pg from 'pg'
import { Session } from './session.ts'

/** A pool as Kysely takes it, whose connections keep the plan of each shared statement. */
export function sessionPool(pool: pg.Pool): PostgresPool {
  return {
    options: pool.options,
    connect: async () => new SessionClient(new Session(await pool.connect())),
    end: () => pool.end(),
  }
}

class SessionClient implements PostgresPoolClient {
  readonly #session: Session

  constructor(session: Session) {
    this.#session = session
  }

  query<Row>(sql: string, values: readonly unknown[]): Promise<PostgresQueryResult<Row>>
  query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>
  query<Row>(text: string | PostgresCursor<Row>, values: readonly unknown[] = []): unknown {
    if (typeof text !== 'string') throw new Error('no cursor is opened by this service')
    return this.#session.run(text, values)
  }

  release(destroy = false): void {
    this.#session.release(destroy)
  }
}
