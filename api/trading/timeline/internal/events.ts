import { sql } from 'kysely'
import { parseUrn, urnString } from '../../../../protocol/encoding/urn.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { aboutOrder } from '../../orders/record/module.ts'
import type { TimelineKind, TimelineRow } from '../routes.ts'
import type { PlacedRow } from './bookings.ts'
import { readDeliveries, readMessages, readRejections, readVerdicts, readWebhooks } from './contents.ts'
import { EVENT_RANK, placeOf, type TimelinePart } from './position.ts'
import type { Viewer } from './viewer.ts'

/**
 * The types of events that are shown as decisions: what the parties and others decide about a disputed order.
 */
const DECISIONS = [
  ...['dispute.opened', 'dispute.settled', 'verdict.signed', 'verdict.resolved'],
  ...['appeal.opened', 'appeal.lapsed'],
]

/** The type of event of a verdict that shows it. Another one says when its money moved. */
const SIGNED = 'verdict.signed'

/** What an event can be about, besides the order. */
type Subject = 'message' | 'delivery' | 'verdict'

interface EventRow {
  id: bigint
  act: bigint
  place: bigint
  event_id: string
  event_type: string
  kind: TimelineKind
  payload: Record<string, unknown>
  created_at: Date
}

/** Returns the events about an order after a place that its reader may see, each with its subject. */
export async function readEvents(
  tx: Tx,
  viewer: Viewer,
  { after, end, kinds, limit }: TimelinePart,
): Promise<PlacedRow[]> {
  const { rows } = await sql<EventRow>`
    select * from (
      select id, act, ${placeOf('event')} as place, event_id, event_type, payload, created_at,
        case when event_type like 'order.%' then 'state' when event_type = 'message.inserted' then 'message'
          when event_type = 'delivery.received' then 'delivery' when event_type = any(${DECISIONS}) then 'decision'
          else 'event' end as kind
      from market.events event
      where payload->>'order_urn' = ${urnString('order', viewer.order.id)} and visible_to && ${viewer.accounts}::uuid[]
    ) event
    where kind = any(${[...kinds]}) and place <= ${end} and (place, act, ${EVENT_RANK}::integer, id)
      > (${after.place}::bigint, ${after.act}::bigint, ${after.rank}::integer, ${after.id}::bigint)
    order by place, act, id limit ${limit}`.execute(tx)
  const messages = await readMessages(tx, viewer, idsIn(rows, 'message'))
  const deliveries = await readDeliveries(tx, idsIn(rows, 'delivery'))
  // A reviewer reads the case instead, in which texts are screened.
  const isParty = viewer.webhooks !== null
  const rejections = isParty ? await readRejections(tx, viewer.order.id, idsOf(rows, 'order.rejected')) : undefined
  const verdicts = isParty ? await readVerdicts(tx, idsIn(rows, 'verdict')) : undefined
  const webhooks = viewer.webhooks
    ? await readWebhooks(
        tx,
        viewer.webhooks,
        rows.map(({ event_id }) => event_id),
      )
    : undefined
  return rows.map((row) => ({
    position: { place: row.place, act: row.act, rank: EVENT_RANK, id: row.id },
    row: {
      ...toRow(row, viewer),
      ...optional('message', row.kind === 'message' ? messages.get(idIn(row, 'message') ?? '') : undefined),
      ...optional('delivery', row.kind === 'delivery' ? deliveries.get(idIn(row, 'delivery') ?? '') : undefined),
      ...optional('rejection', rejections?.get(row.event_id)),
      ...optional('verdict', row.event_type === SIGNED ? verdicts?.get(idIn(row, 'verdict') ?? '') : undefined),
      ...optional('webhooks', webhooks?.get(row.event_id)),
    },
  }))
}

/** Returns whether the log still has all events of an order since its beginning. */
export async function isWhole(tx: Tx, orderId: string): Promise<boolean> {
  const { rows } = await sql`
    select from market.events
    where payload->>'order_urn' = ${urnString('order', orderId)} and event_type = 'order.placed' limit 1`.execute(tx)
  return rows.length > 0
}

function toRow({ kind, created_at, act, event_id, event_type, payload }: EventRow, viewer: Viewer) {
  // A reviewer sees no names.
  const shown = viewer.webhooks === null ? [] : Object.entries(payload).filter(([name]) => !(name in aboutOrder.shape))
  const row: TimelineRow = {
    kind,
    at: created_at.toISOString(),
    cause: String(act),
    event: { event_id, event_type, details: Object.fromEntries(shown) },
  }
  return kind === 'state' ? { ...row, state: aboutOrder.shape.state.parse(payload.state) } : row
}

function idIn({ payload }: EventRow, prefix: Subject): string | undefined {
  return parseUrn(prefix, String(payload[`${prefix}_urn`]))
}

function idsIn(rows: readonly EventRow[], prefix: Subject): string[] {
  return rows.flatMap((row) => (subjectOf(row) === prefix ? (idIn(row, prefix) ?? []) : []))
}

function subjectOf({ kind, event_type }: EventRow): Subject | undefined {
  if (event_type === SIGNED) return 'verdict'
  return kind === 'message' || kind === 'delivery' ? kind : undefined
}

function idsOf(rows: readonly EventRow[], type: string): string[] {
  return rows.flatMap(({ event_type, event_id }) => (event_type === type ? [event_id] : []))
}

function optional<Name extends string, Value>(name: Name, value: Value | undefined) {
  return (value === undefined ? {} : { [name]: value }) as { [Member in Name]?: Value }
}
