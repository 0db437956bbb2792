import { sql } from 'kysely'
import type { Db } from '../../../../../api/platform/db/pool.ts'
import { until } from '../../../until.ts'

/** Resolves when so many connections to this database wait for a lock. */
export async function untilWaitingForLocks(db: Db, count: number): Promise<void> {
  const waiting = async () => {
    const { rows } = await sql<{ count: bigint }>`select count(*) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    return rows[0]?.count ?? 0n
  }
  await until(`${count} wait for a lock`, waiting, (found) => found >= BigInt(count), { pollMs: 1 })
}
