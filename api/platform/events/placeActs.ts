import { sql } from 'kysely'
import type { Db } from '../db/pool.ts'

const AT_ONCE = 1_000

/**
 * Gives a place in the log to everything that was committed before this call (schema, market.place_acts).
 * Readers of the log call this first, outside their reading transaction, and so see their own earlier writes.
 * Waits while another call gives places; with `waits: false` it returns at once instead.
 */
export async function placeActs(db: Db, { waits }: { waits: boolean } = { waits: true }): Promise<void> {
  for (let placed = AT_ONCE; placed === AT_ONCE; ) {
    const { rows } = await sql<{ placed: number }>`select market.place_acts(${AT_ONCE}, ${waits}) as placed`.execute(db)
    placed = rows[0]?.placed ?? 0
  }
}
