import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type pg from 'pg'
import { type Session, sessionOn } from './session.ts'

/** A pool as Kysely takes it, whose connections keep the plan of each shared statement. */
export function sessionPool(pool: pg.Pool): PostgresPool {
  return {
    options: pool.options,
    connect: async () => new SessionClient(sessionOn(await pool.connect())),
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
    return this.#query<Row>(text, values)
  }

  async #query<Row>(text: string, values: readonly unknown[]) {
    const { rows, tag } = await this.#session.run(text, values)
    return { command: tag.split(' ', 1)[0], rowCount: rowCountOf(tag), rows: rows as Row[] }
  }

  release(destroy = false): void {
    this.#session.release(destroy)
  }
}

/** How many rows a statement is said to have written or read: the last word of `INSERT 0 1`. */
export function rowCountOf(tag: string): number {
  return Number(tag.slice(tag.lastIndexOf(' ') + 1)) || 0
}
