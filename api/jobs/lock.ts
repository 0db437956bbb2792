import { sql } from 'kysely'
import type { Db } from '../db/pool.ts'

/**
 * Runs a task unless another worker is running it. The lock only spares work: tasks are safe to run twice at once, and a
 * session that is cut loses it. False when it was not run.
 */
export async function exclusively(db: Db, name: string, task: () => Promise<void>): Promise<boolean> {
  return db.connection().execute(async (connection) => {
    const key = sql`hashtext('market.jobs'), hashtext(${name})`
    const { rows } = await sql<{ held: boolean }>`select pg_try_advisory_lock(${key}) as held`.execute(connection)
    if (!rows[0]?.held) return false
    try {
      await task()
      return true
    } finally {
      await sql`select pg_advisory_unlock(${key})`.execute(connection)
    }
  })
}
