import { sql } from 'kysely'
import type { Db } from '../../../api/platform/db/pool.ts'
import { until } from '../until.ts'

const POLL_MS = 5

/**
 * Resolves once no transaction runs that is older than this call. Postgres counts those of every database of the
 * server, and this one serves other test files too: what stops below the oldest one waits for theirs.
 */
export async function untilNoOlderTransaction(db: Db): Promise<void> {
  const { rows } = await sql<{ id: string }>`select pg_current_xact_id()::text as id`.execute(db)
  const id = rows[0]?.id
  const areOver = async () => {
    const { rows: found } = await sql<{ isOver: boolean }>`
      select pg_snapshot_xmin(pg_current_snapshot()) > ${id}::xid8 as "isOver"`.execute(db)
    return found[0]?.isOver
  }
  await until('no older transaction runs', areOver, Boolean, { pollMs: POLL_MS })
}
