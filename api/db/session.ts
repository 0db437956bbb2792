import pg from 'pg'
import { type Done, PlannedQuery, type Settle } from './query.ts'
import type { Runner } from './runner.ts'

// pg's own, as its queries use it; its types do not name it.
const { prepareValue } = (pg as unknown as { utils: { prepareValue: (value: unknown) => unknown } }).utils

const names = new Map<string, string>()

/** Has every connection keep the plan of a text, under this name. */
export function plan(text: string, name: string): void {
  names.set(text, name)
}

/**
 * A borrowed connection as statements see it. It is pipelined: what is said without waiting travels together, in its
 * order, where each statement that is waited for costs a turn of two processes (PostgreSQL, 53.2.4).
 */
export class Session implements Runner {
  readonly #client: pg.PoolClient

  constructor(client: pg.PoolClient) {
    this.#client = client
  }

  /** Runs a statement with its values, $1 first. Rejects with what Postgres says against it, throws for no possible value. */
  run(text: string, values: readonly unknown[]): Promise<Done> {
    // At once: a value that cannot be sent is known before anything is said after it.
    return this.#query(text, values.map(prepareValue))
  }

  async say(text: string, values: readonly unknown[]): Promise<void> {
    await this.run(text, values)
  }

  /** Hands the connection back to its pool, or has it closed. */
  release(isBroken: boolean): void {
    this.#client.release(isBroken)
  }

  async #query(text: string, values: unknown[]): Promise<Done> {
    const { promise, resolve, reject } = Promise.withResolvers<Done>()
    const settle: Settle = (error, result) => {
      if (error) reject(error)
      else resolve({ rows: result?.rows ?? [], command: result?.command ?? '', rowCount: result?.rowCount ?? 0 })
    }
    const name = names.get(text)
    const query = name === undefined ? unplanned(text, values, settle) : new PlannedQuery(name, text, values, settle)
    this.#client.query(query as unknown as pg.Submittable)
    try {
      return await promise
    } catch (error) {
      // Its own leads to the socket and no further.
      Error.captureStackTrace(error as Error)
      throw error
    }
  }
}

// Not as pg's client makes one itself: it copies what it is told, which costs as much as all else about it.
function unplanned(text: string, values: unknown[], settle: Settle): pg.Query {
  return new pg.Query(text, values, (error, result) => settle(error, result))
}
