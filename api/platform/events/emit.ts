import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Tx } from '../db/pool.ts'
import type { EventPayload, EventTypeName } from './catalogue.ts'

/** An event: its type (spec 6.3), its payload of URNs as strings and a state, and the accounts that may see it. */
export interface EventInput<Type extends EventTypeName> {
  type: Type
  payload: EventPayload<Type>
  /** Agents and humans; the owners of the agents are added. OPERATORS for the service's own. */
  visibleTo: readonly string[]
}

/** Writes an event in the transaction of the change it is about. Every channel reads this log. */
export async function emit<Type extends EventTypeName>(
  tx: Tx,
  { type, payload, visibleTo }: EventInput<Type>,
): Promise<void> {
  // Ascending ids are inserted at the end of their index.
  await sql`
    insert into market.events (event_id, event_type, payload, visible_to)
    values (${uuidv7()}, ${type}, ${JSON.stringify(payload)}, array(
      select unnest(${visibleTo}::uuid[])
      union select owner_id from market.agents where id = any(${visibleTo}::uuid[])))`.execute(tx)
}
