import { type AccessMode, OpenTransaction } from './openTransaction.ts'
import type { Db, Tx } from './pool.ts'
import { borrow } from './pool.ts'

const MAX_ATTEMPTS = 4
// Postgres gave this transaction up for another's sake; run again, it sees what the other did.
const SERIALIZATION_FAILURE = '40001'
const DEADLOCK_DETECTED = '40P01'

/**
 * Runs a verb in one transaction: a read in a snapshot that cannot change under it, a write in read committed.
 * Whatever it throws rolls everything back; only what Postgres itself says to run again is run again.
 */
export async function inTransaction<Answer>(
  db: Db,
  access: AccessMode,
  verb: (tx: Tx) => Promise<Answer>,
): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await once(db, access, verb)
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !lostToAnother(error)) throw error
    }
  }
}

async function once<Answer>(db: Db, access: AccessMode, verb: (tx: Tx) => Promise<Answer>): Promise<Answer> {
  const open = new OpenTransaction(await borrow(db), access)
  try {
    const answer = await verb(open.tx)
    await open.commit()
    return answer
  } catch (error) {
    await open.rollback()
    // What failed first is why anything after it did.
    throw open.failure ?? error
  } finally {
    open.release()
  }
}

function lostToAnother(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === SERIALIZATION_FAILURE || code === DEADLOCK_DETECTED
}
