import { sql } from 'kysely'
import type { Tx } from '../../platform/db/pool.ts'

/**
 * Returns when the erasure of a human is due, or null if none was requested. The delay begins when they are
 * notified, which is within seconds if the worker runs.
 */
export async function findEraseAt(tx: Tx, humanId: string): Promise<Date | null> {
  const { rows } = await sql<{ erase_at: Date }>`
    select coalesce(told_at, requested_at) + market.erasure_delay() as erase_at
    from market.erasure_requests where human_id = ${humanId}`.execute(tx)
  return rows[0]?.erase_at ?? null
}
