import { sql } from 'kysely'
import type { Db } from '../platform/db/pool.ts'

/** Throws if a database with a movable clock is used by a service that is not a sandbox. */
export async function refuseMovableClock(db: Db, sandbox: boolean): Promise<void> {
  const { rows } = await sql<{ is_movable: boolean }>`
    select to_regclass('sandbox.clock') is not null as is_movable`.execute(db)
  if (rows[0]?.is_movable && !sandbox) {
    throw new Error(
      'this database belongs to a sandbox, whose clock can be moved: it cannot be served as anything else',
    )
  }
}
