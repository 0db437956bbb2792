import { sql } from 'kysely'
import type { Db, Tx } from './pool.ts'

/** The database's time, by which every rule goes: one instant for the whole transaction. */
export async function readClock(db: Db | Tx): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select market.now() as now`.execute(db)
  const [row] = rows
  if (!row) throw new Error('market.now() answered no row')
  return row.now
}
