import { hash } from 'node:crypto'
import pg from 'pg'

/**
 * The pooler between a process and its database. A transaction pooler does not keep named statements between
 * transactions.
 */
export type Pooler = 'none' | 'transaction'

/**
 * The maximum number of named statements of a connection. The server keeps the text and the plan of each in
 * the connection's memory, some 30 kB on average, until it ends.
 */
const MAX_NAMED = 600
// Postgres truncates names to 63 bytes.
const NAME_DIGITS = 40

// Statements that are not named. The best plan of a list with a limit depends on how many rows match its
// values, so it is planned each time; this includes searches. Inserts of several rows have a different text
// for each number of rows.
const IS_VARIED = /\blimit \$\d|\), \(\$\d/

// Postgres keeps the row type of a named statement. Adding a column to a table changes the type of `select
// *`.
const FEATURE_NOT_SUPPORTED = '0A000'
const RAISED_BY = 'RevalidateCachedQuery'

/** The configuration of a connection whose statements have a limit of time. */
export interface LimitedConfig extends pg.ClientConfig {
  statementTimeoutMs: number | undefined
}

/**
 * A connection that is closed when a statement takes longer than `statementTimeoutMs`: whoever waits gets an
 * outage.
 */
export class LimitedClient extends pg.Client {
  readonly #statementTimeoutMs: number | undefined

  constructor(config?: LimitedConfig) {
    super(config)
    this.#statementTimeoutMs = config?.statementTimeoutMs
  }

  /** The same as pg's. */
  override query<Answer>(...given: unknown[]): Answer {
    const answer: unknown = super.query(...(given as [string]))
    if (this.#statementTimeoutMs === undefined || !(answer instanceof Promise)) return answer as Answer
    // pg destroys the socket of a connection that is ended during a statement, and fails the statement.
    const timer = setTimeout(() => void this.end().catch(() => {}), this.#statementTimeoutMs)
    return answer.finally(() => clearTimeout(timer)) as Answer
  }
}

/** Increases when the schema has changed, so that no connection uses a statement that was named before. */
let generation = 0

/**
 * A connection that names each statement with values, as pg documents it: Postgres parses it once, and plans
 * it once unless a plan for its values is better. The name is a hash of the text, and a number that makes it
 * new. Each text takes a name of its own, so a list of values is written as `any()`, and not as `in ()`.
 */
export class NamingClient extends LimitedClient {
  readonly #names = new Map<string, { name: string; generation: number }>()
  #count = 0

  /**
   * The same as pg's. A transaction in which it throws an error that `isStale` recognises should be run
   * again.
   */
  override query<Answer>(...given: unknown[]): Answer {
    const [text, values] = given
    const isStatement = given.length === 2 && typeof text === 'string' && Array.isArray(values)
    return (isStatement ? this.#run(text, values) : super.query(...(given as [string]))) as Answer
  }

  async #run(text: string, values: unknown[]): Promise<pg.QueryResult> {
    const name = values.length > 0 ? this.#nameOf(text) : undefined
    if (name === undefined) return super.query(text, values)
    const isAlone = this.getTransactionStatus() === 'I'
    const tried = generation
    try {
      return await super.query({ name, text, values })
    } catch (error) {
      // After a value that cannot be sent, pg closes the statement but still believes that the server knows
      // it.
      if (!(error instanceof pg.DatabaseError)) this.#names.delete(text)
      if (!isStale(error)) throw error
      if (tried === generation) generation += 1
      if (!isAlone) throw error
      return this.#run(text, values)
    }
  }

  #nameOf(text: string): string | undefined {
    const known = this.#names.get(text)
    if (known?.generation === generation) return known.name
    if (this.#count >= MAX_NAMED || IS_VARIED.test(text)) return undefined
    this.#count += 1
    const name = `${hash('sha256', text).slice(0, NAME_DIGITS)}_${this.#count}`
    this.#names.set(text, { name, generation })
    return name
  }
}

/**
 * Returns whether a named statement failed because the schema has changed since it was named. Run again, it
 * has a new name.
 */
export function isStale(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === FEATURE_NOT_SUPPORTED && error.routine === RAISED_BY
}
