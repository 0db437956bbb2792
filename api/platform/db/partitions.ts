import { sql } from 'kysely'
import type { Db } from './pool.ts'

/**
 * Makes the partitions that the tables which only grow need next, each in a transaction of its own. Until then their rows lie in
 * a last resort, from which they are moved here. Throws what the database throws: a table that is written to for long lets
 * nobody in, and the next run tries again.
 */
export async function makePartitions({ db }: { db: Db }): Promise<void> {
  for (let isMade = true; isMade; ) {
    const { rows } = await sql<{ is_made: boolean }>`select market.make_next_partition() as is_made`.execute(db)
    isMade = rows[0]?.is_made ?? false
  }
}
