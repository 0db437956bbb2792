import type { AccessMode, IsolationLevel } from 'kysely'
import { isStale } from './internal/statements.ts'
import type { Db, IndexDb, IndexTx, Tx } from './pool.ts'

const MAX_ATTEMPTS = 4
// Postgres aborted this transaction in favour of another one. On a retry it sees the other's changes.
const SERIALIZATION_FAILURE = '40001'
const DEADLOCK_DETECTED = '40P01'
const READ_ONLY_TRANSACTION = '25006'

const ISOLATION_LEVELS = {
  'read only': 'repeatable read',
  'read write': 'read committed',
} as const satisfies Record<AccessMode, IsolationLevel>

/**
 * Runs a verb in one transaction: a read in a single snapshot, a write in read committed. An error of the
 * verb rolls everything back and is rethrown. Only a serialization failure, a deadlock or a changed schema
 * causes a retry. A verb that writes in a read has a fault: its error is wrapped, because the same code from
 * a write means that the session is on a standby, an outage.
 */
export async function inTransaction<Answer>(
  db: Db,
  accessMode: AccessMode,
  verb: (tx: Tx) => Promise<Answer>,
): Promise<Answer> {
  const transaction = db.transaction().setIsolationLevel(ISOLATION_LEVELS[accessMode]).setAccessMode(accessMode)
  try {
    return await retrying(() => transaction.execute(verb))
  } catch (error) {
    if (accessMode === 'read only' && codeOf(error) === READ_ONLY_TRANSACTION)
      throw new Error('a read tried to write', { cause: error })
    throw error
  }
}

/**
 * Runs a read of the index in a single snapshot. It is retried as a transaction is: an indexer that points
 * the views at its schema locks them one after the other, as a reader does.
 */
export function inIndexSnapshot<Answer>(index: IndexDb, read: (snapshot: IndexTx) => Promise<Answer>): Promise<Answer> {
  const transaction = index.transaction().setIsolationLevel(ISOLATION_LEVELS['read only']).setAccessMode('read only')
  return retrying(() => transaction.execute(read))
}

async function retrying<Answer>(run: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isRetryable(error)) throw error
    }
  }
}

function isRetryable(error: unknown): boolean {
  const code = codeOf(error)
  return code === SERIALIZATION_FAILURE || code === DEADLOCK_DETECTED || isStale(error)
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
