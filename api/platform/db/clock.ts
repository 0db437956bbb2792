import { sql } from 'kysely'
import type { Db, Tx } from './pool.ts'

/** Returns the database's time, which every rule uses: the same time throughout the transaction. */
export async function readClock(db: Db | Tx): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select market.now() as now`.execute(db)
  const [row] = rows
  if (!row) throw new Error('market.now() answered no row')
  return row.now
}

/**
 * Selects the time left until the time in a column, by the database's clock: milliseconds, negative once it
 * has passed.
 */
export function untilMs(column: string) {
  return sql<number>`ceil(extract(epoch from ${sql.ref(column)} - market.now()) * 1000)::float8`
}
