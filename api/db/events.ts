import { sql } from 'kysely'
import { gatherable } from './gather.ts'
import type { Tx } from './pool.ts'
import { statement } from './statement.ts'

/** What happened: its type (spec 6.3), its URNs as strings and its state, and the accounts that may see it. */
export interface EventInput {
  type: string
  payload: Record<string, unknown>
  visibleTo: readonly string[]
}

const insertEvent = statement<never>('insert into market.events (event_type, payload, visible_to) values ($1, $2, $3)')

const insertEvents = statement<never>(`
  insert into market.events (event_type, payload, visible_to) select event_type, payload, visible_to
  from jsonb_to_recordset($1::jsonb) as given(event_type text, payload jsonb, visible_to uuid[])`)

/** Writes an event beside the change it tells of. Every channel reads this log. */
export const emit = gatherable(async (tx: Tx, events: readonly EventInput[]) => {
  const rows = events.map(({ type, payload, visibleTo }) => ({ event_type: type, payload, visible_to: [...visibleTo] }))
  const [row] = rows
  if (row && rows.length === 1) await insertEvent(tx, [row.event_type, JSON.stringify(row.payload), row.visible_to])
  else await insertEvents(tx, [JSON.stringify(rows)])
})

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
