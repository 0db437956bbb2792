import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../../../api/platform/db/pool.ts'

/** Resolves when so many connections to this database wait for a lock. */
export async function untilWaitingForLocks(db: Db, count: number): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ count: bigint }>`select count(*) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    if (Number(rows[0]?.count) >= count) return
    await turn()
  }
}
