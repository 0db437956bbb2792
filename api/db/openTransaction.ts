import {
  type CompiledQuery,
  DefaultQueryExecutor,
  DummyDriver,
  PostgresAdapter,
  PostgresDialect,
  PostgresQueryCompiler,
  type QueryResult,
  Transaction,
} from 'kysely'
import type { Tx } from './pool.ts'
import type { Explain, Runner } from './runner.ts'
import type { Database } from './schema.ts'
import { type Done, plan, type Session } from './session.ts'

const COMMIT = 'commit'
const ROLLBACK = 'rollback'
/** How a transaction begins: a read in a snapshot that cannot change under it, a write in read committed. */
const BEGIN = {
  'read only': 'start transaction isolation level repeatable read read only',
  'read write': 'start transaction isolation level read committed read write',
} as const
for (const text of [COMMIT, ROLLBACK, ...Object.values(BEGIN)]) plan(text, text)

export type AccessMode = keyof typeof BEGIN

const WRITES = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])
const compiler = new PostgresQueryCompiler()
const adapter = new PostgresAdapter()
const driver = new DummyDriver()
// Nothing connects by it: what a transaction says goes by its session.
const dialect = new PostgresDialect({ pool: () => Promise.reject(new Error('a transaction opens no pool')) })

/**
 * A transaction on a session. It begins along with its first statement, and what it was told of and nobody waits
 * for goes with whatever is said next. When it is over, nothing more can be said in it.
 */
export class OpenTransaction implements Runner {
  readonly tx: Tx
  readonly #session: Session
  readonly #access: AccessMode
  #state: 'new' | 'begun' | 'over' = 'new'
  #isBroken = false
  /** What became of the first statement that nobody waited for and that failed. */
  failure: unknown

  constructor(session: Session, access: AccessMode) {
    this.#session = session
    this.#access = access
    this.tx = new SpokenTransaction(this)
  }

  run(text: string, values: readonly unknown[]): Promise<Done> {
    this.#require()
    return this.#session.join(text, values)
  }

  say(text: string, values: readonly unknown[], explain: Explain = (error) => error): void {
    this.#require()
    this.#session.say(text, values, (error) => {
      if (error) this.failure ??= explain(error)
    })
  }

  /** Rejects with what any of its statements failed with, and then nothing was done. */
  async commit(): Promise<void> {
    const hasBegun = this.#state === 'begun'
    // It may be over by now: it did not begin.
    if (this.#state === 'over') throw this.failure
    this.#state = 'over'
    if (!hasBegun) return
    // Of its own accord Postgres commits as it begins: in a snapshot a statement, and not in one of all of them.
    const command = await this.#end(COMMIT, this.#access === 'read write' ? 'commits' : undefined)
    // So Postgres says of a commit that comes after an error, heard or not.
    if (command === 'ROLLBACK') throw new Error('a transaction went on after one of its statements had failed')
  }

  async rollback(): Promise<void> {
    const hasBegun = this.#state !== 'new'
    this.#state = 'over'
    if (!hasBegun || !this.#session.holdsTransaction) return
    // The first may go along with a statement that fails, and is not run then.
    const rollback = () => this.#end(ROLLBACK)
    await rollback()
      .catch(rollback)
      .catch(() => {
        this.#isBroken = true
      })
  }

  #require(): void {
    if (this.#state === 'over') throw new Error('a statement came after its transaction was over')
    if (this.#state === 'begun') return
    this.#state = 'begun'
    const hear = (error: Error | undefined) => {
      if (!error) return
      // What went along with it is not run. What came later would be no part of a transaction.
      this.failure ??= error
      this.#state = 'over'
    }
    this.#session.say(BEGIN[this.#access], [], hear, 'begins')
  }

  #end(text: string, bracket?: 'commits'): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#session.say(text, [], (error, command) => (error ? reject(error) : resolve(command)), bracket)
    })
  }

  /** Hands the connection back. */
  release(): void {
    this.#session.release(this.#isBroken)
  }
}

/** What verbs are given: shared statements find what runs them on itself. */
class SpokenTransaction extends Transaction<Database> implements Runner {
  readonly #open: OpenTransaction

  constructor(open: OpenTransaction) {
    super({ config: { dialect }, dialect, driver, executor: executorOf(open) })
    this.#open = open
  }

  run(text: string, values: readonly unknown[]): Promise<Done> {
    return this.#open.run(text, values)
  }

  say(text: string, values: readonly unknown[], explain?: Explain): void {
    this.#open.say(text, values, explain)
  }
}

function executorOf(open: OpenTransaction): DefaultQueryExecutor {
  const connection = {
    executeQuery: async <Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> => {
      const { rows, command, rowCount } = await open.run(sql, parameters)
      return { rows: rows as Row[], ...(WRITES.has(command) ? { numAffectedRows: BigInt(rowCount) } : {}) }
    },
    streamQuery: () => {
      throw new Error('no cursor is opened by this service')
    },
  }
  return new DefaultQueryExecutor(compiler, adapter, { provideConnection: (consumer) => consumer(connection) })
}
