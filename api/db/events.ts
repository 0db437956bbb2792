import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { gatherable } from './gather.ts'
import type { Tx } from './pool.ts'
import { unreadStatement } from './statement.ts'

/** What happened: its type (spec 6.3), its URNs as strings and its state, and the accounts that may see it. */
export interface EventInput {
  type: string
  payload: Record<string, unknown>
  visibleTo: readonly string[]
}

const insertEvent = unreadStatement(
  'insert into market.events (event_id, event_type, payload, visible_to) values ($1, $2, $3, $4)',
)

const insertEvents = unreadStatement(`
  insert into market.events (event_id, event_type, payload, visible_to) select event_id, event_type, payload, visible_to
  from jsonb_to_recordset($1::jsonb) as given(event_id uuid, event_type text, payload jsonb, visible_to uuid[])`)

/** Has an event written beside the change it tells of, before the transaction's next statement. Every channel reads this log. */
export const emit = gatherable(async (tx: Tx, events: readonly EventInput[]) => {
  const [event] = events
  if (event && events.length === 1) await insertEvent(tx, eventColumns(event))
  else await insertEvents(tx, [JSON.stringify(events.map(eventRow))])
})

/** An event as `market.events` has it: its id, type, payload and who may see it. */
export function eventColumns(event: EventInput): unknown[] {
  const { event_id, event_type, payload, visible_to } = eventRow(event)
  return [event_id, event_type, JSON.stringify(payload), visible_to]
}

function eventRow({ type, payload, visibleTo }: EventInput) {
  // Ids that grow enter their index at its end; random ones would touch a page each.
  return { event_id: uuidv7(), event_type: type, payload, visible_to: [...visibleTo] }
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
