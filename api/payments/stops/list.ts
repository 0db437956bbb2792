import type { Selectable } from 'kysely'
import { urn } from '../../../protocol/encoding/urn.ts'
import type { Database } from '../../platform/db/generated/tables.ts'
import type { Db, Tx } from '../../platform/db/pool.ts'

export type StopRow = Selectable<Database['market.payout_stops']>

/** Returns all stops, including lifted ones, newest first, below a cursor id. */
export async function listStopRows(tx: Tx, page: { before: string | undefined; limit: number }): Promise<StopRow[]> {
  let query = tx.selectFrom('market.payout_stops').selectAll().orderBy('id', 'desc').limit(page.limit)
  if (page.before) query = query.where('id', '<', page.before)
  return query.execute()
}

/** Returns the stops that stand, newest first. */
export async function listStandingStops(tx: Tx): Promise<StopRow[]> {
  return tx.selectFrom('market.payout_stops').selectAll().where('lifted_at', 'is', null).orderBy('id', 'desc').execute()
}

/** Returns whether payouts from the hot wallet are stopped. */
export async function arePayoutsStopped(db: Db | Tx): Promise<boolean> {
  const standing = db.selectFrom('market.payout_stops').select('id').where('lifted_at', 'is', null)
  return (await standing.where('place', '=', 'hot_wallet').limit(1).executeTakeFirst()) !== undefined
}

/** Returns a stop in wire form. */
export function toStop(row: StopRow) {
  return {
    urn: urn('stop', row.id),
    place: row.place,
    reason: row.reason,
    fact: row.fact,
    raised_by: row.raised_by,
    raised_at: row.raised_at.toISOString(),
    lifted_by: row.lifted_by,
    lifted_at: row.lifted_at?.toISOString() ?? null,
    explanation: row.explanation,
    explained_by: row.explained_by,
    explained_at: row.explained_at?.toISOString() ?? null,
  }
}
