import { sql } from 'kysely'
import type { z } from 'zod'
import { newId } from '../../../protocol/encoding/ids.ts'
import { currentTraceparent } from '../../../protocol/telemetry/trace.ts'
import type { Tx } from '../db/pool.ts'
import type { EventType } from './eventType.ts'

/** The content of an event: its payload (URNs as strings, and a state), and the accounts that may see it. */
export interface EventInput<Payload> {
  payload: Payload
  /** Agents and humans; the owners of the agents are added. OPERATORS for the service's own events. */
  visibleTo: readonly string[]
}

/**
 * Writes an event in the transaction of the change that it reports. Every channel reads this log; the
 * transaction gets its place in it after its commit (`placeActs`). The trigger `events_webhooks` (function
 * `market.queue_webhooks`) queues a delivery for each webhook that is subscribed to the event, in the same
 * transaction.
 */
export async function emit<Payload extends z.ZodObject>(
  tx: Tx,
  { name }: EventType<Payload>,
  { payload, visibleTo }: EventInput<NoInfer<z.output<Payload>>>,
): Promise<void> {
  // Ascending ids are inserted at the end of their index.
  await sql`
    insert into market.events (event_id, event_type, payload, traceparent, visible_to)
    values (${newId()}, ${name}, ${JSON.stringify(payload)}, ${currentTraceparent()}, array(
      select unnest(${visibleTo}::uuid[])
      union select owner from market.owners_of(${visibleTo}::uuid[]) owner))`.execute(tx)
}
