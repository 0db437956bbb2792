import { sql } from 'kysely'
import type { Db } from './pool.ts'

/**
 * Creates the next partitions of the tables that only grow, each in its own transaction. Until then their
 * rows are in a default partition, from which they are moved here. Throws database errors: if a table is
 * locked by writers for long, the next run tries again.
 */
export async function makePartitions({ db }: { db: Db }): Promise<void> {
  for (let isMade = true; isMade; ) {
    const { rows } = await sql<{ is_made: boolean }>`select market.make_next_partition() as is_made`.execute(db)
    isMade = rows[0]?.is_made ?? false
  }
}
