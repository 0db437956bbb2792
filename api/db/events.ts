import { sql } from 'kysely'
import type { Tx } from './pool.ts'

/** What happened: its type (spec 6.3), its URNs as strings and its state, and the accounts that may see it. */
export interface EventInput {
  type: string
  payload: Record<string, unknown>
  visibleTo: readonly string[]
}

/** Writes an event beside the change it tells of. Every channel reads this log. */
export async function emit(tx: Tx, event: EventInput): Promise<void> {
  await tx
    .insertInto('market.events')
    .values({ event_type: event.type, payload: JSON.stringify(event.payload), visible_to: [...event.visibleTo] })
    .execute()
}

/** A place in the event log, behind which nothing can appear any more. */
export interface EventCursor {
  transactionId: string
  id: bigint
}

/** Events after a cursor in (transaction id, id) order, stopping below the oldest transaction still running. */
export async function eventsAfter(db: Tx, cursor: EventCursor, limit: number) {
  const { rows } = await sql<{
    id: bigint
    transaction_id: string
    event_id: string
    event_type: string
    payload: Record<string, unknown>
    visible_to: string[]
  }>`
    select event.id, event.transaction_id::text, event.event_id, event.event_type, event.payload, event.visible_to
    from market.events event
    where (event.transaction_id, event.id) > (${cursor.transactionId}::xid8, ${cursor.id})
      and event.transaction_id < pg_snapshot_xmin(pg_current_snapshot())
    -- Named with its table: alone it would be the text selected above, in whose order 1000 comes before 999.
    order by event.transaction_id, event.id
    limit ${limit}`.execute(db)
  return rows
}
