import { CompiledQuery, PostgresDialect, type PostgresDialectConfig, PostgresDriver } from 'kysely'

type Begin = PostgresDriver['beginTransaction']

/**
 * What the correctness of our statements rests on. A role can change the defaults of its own sessions, and a
 * session's SET does not survive a pooler of transactions, so each transaction sets them for itself: a commit
 * is on disk, times and numbers are read as they were written, an index answers with all rows, and names and
 * literals mean what they say.
 */
const TRANSACTION_SETTINGS = `
  set local synchronous_commit = on; set local search_path = ''; set local datestyle = 'ISO, MDY'; set local timezone = 'UTC';
  set local intervalstyle = 'postgres'; set local extra_float_digits = 1; set local gin_fuzzy_search_limit = 0;
  set local standard_conforming_strings = on; set local array_nulls = on; set local transform_null_equals = off`

/** Kysely's dialect, with transactions that do not depend on the settings of the session. */
export class SettledDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig

  constructor(config: PostgresDialectConfig) {
    super(config)
    this.#config = config
  }

  /** The same as Kysely's. */
  override createDriver(): PostgresDriver {
    return new SettledDriver(this.#config)
  }
}

class SettledDriver extends PostgresDriver {
  /** Begins a transaction and sets its settings in one round trip. */
  override async beginTransaction(connection: Parameters<Begin>[0], settings: Parameters<Begin>[1]): Promise<void> {
    const { isolationLevel = 'read committed', accessMode = 'read write' } = settings
    const begin = `start transaction isolation level ${isolationLevel} ${accessMode}`
    try {
      await connection.executeQuery(CompiledQuery.raw(`${begin};${TRANSACTION_SETTINGS}`))
    } catch (error) {
      // The pool must not lend a connection within a transaction that failed.
      await connection.executeQuery(CompiledQuery.raw('rollback')).catch(() => {})
      throw error
    }
  }
}
