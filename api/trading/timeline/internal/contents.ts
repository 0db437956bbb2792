import { sql } from 'kysely'
import { formatAmount } from '../../../../protocol/encoding/amounts.ts'
import { urn } from '../../../../protocol/encoding/urn.ts'
import { anyOf } from '../../../platform/db/lists.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { present } from '../../../platform/http/route/schemas.ts'
import type { WebhookOwner } from '../../../platform/webhooks/owner.ts'
import { withUrnObject } from '../../threads/wire.ts'
import type { TimelineRow } from '../routes.ts'
import type { Viewer } from './viewer.ts'

// A timeline shows how a message begins; the thread has the whole of it.
const SHOWN_CHARACTERS = 2_000

interface MessageRow {
  id: string
  sender_id: string
  kind: string
  payload: Record<string, unknown> | null
  body: string | null
  body_characters: number | null
  size_bytes: number | null
  recipients: string[] | null
}

/** Returns messages as a timeline shows them, by id. A reviewer is shown no names. */
export async function readMessages(
  tx: Tx,
  { order, webhooks }: Viewer,
  ids: readonly string[],
): Promise<Map<string, TimelineRow['message']>> {
  const { rows } = await sql<MessageRow>`
    select id, sender_id, kind, payload, left(body, ${SHOWN_CHARACTERS}) as body, length(body) as body_characters,
      length(sealed->>'ciphertext') * 3 / 4 as size_bytes,
      (select array_agg(granted->>'recipient_urn') from jsonb_array_elements(sealed->'grants') granted) as recipients
    from market.messages where id = any(${ids}::uuid[])`.execute(tx)
  const isReviewer = webhooks === null
  return new Map(
    rows.map(({ id, sender_id, kind, payload, body, body_characters, size_bytes, recipients }) => [
      id,
      {
        urn: urn('message', id),
        by: sender_id === order.buyer_id ? 'buyer' : 'seller',
        kind,
        ...present({ payload: withUrnObject(payload), body, body_characters }),
        ...(size_bytes === null
          ? {}
          : { sealed: { size_bytes, recipient_urns: isReviewer ? [] : (recipients ?? []) } }),
      },
    ]),
  )
}

/** Returns uploads by id. */
export async function readDeliveries(
  tx: Tx,
  ids: readonly string[],
): Promise<Map<string, NonNullable<TimelineRow['delivery']>>> {
  if (ids.length === 0) return new Map()
  const rows = await tx
    .selectFrom('market.deliveries')
    .select(['id', 'sha256', 'size_bytes', 'filename'])
    .where('id', '=', anyOf(ids))
    .execute()
  return new Map(
    rows.map(({ id, sha256, size_bytes, filename }) => [
      id,
      { delivery_urn: urn('delivery', id), sha256, size_bytes: Number(size_bytes), ...present({ filename }) },
    ]),
  )
}

/** Returns the rejections that events of an order tell of, by event: one act writes both, at one time. */
export async function readRejections(
  tx: Tx,
  orderId: string,
  eventIds: readonly string[],
): Promise<Map<string, NonNullable<TimelineRow['rejection']>>> {
  if (eventIds.length === 0) return new Map()
  const { rows } = await sql<{ event_id: string; number: number; reason: string | null }>`
    select event.event_id, rejected.number, rejected.reason from market.events event
    join market.rejections rejected on rejected.order_id = ${orderId} and rejected.rejected_at = event.created_at
    where event.event_id = any(${eventIds}::uuid[])`.execute(tx)
  return new Map(rows.map(({ event_id, number, reason }) => [event_id, { delivery: number, ...present({ reason }) }]))
}

/** Returns verdicts by id. */
export async function readVerdicts(
  tx: Tx,
  ids: readonly string[],
): Promise<Map<string, NonNullable<TimelineRow['verdict']>>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<VerdictRow>`
    select id, sequence, kind, winner, payer_micros, document::jsonb->>'grounds' as grounds
    from market.verdicts where id = any(${ids}::uuid[])`.execute(tx)
  return new Map(
    rows.map(({ id, sequence, kind, winner, payer_micros, grounds }) => [
      id,
      { verdict_urn: urn('verdict', id), sequence, by: kind, winner, refund: formatAmount(payer_micros), grounds },
    ]),
  )
}

interface VerdictRow {
  id: string
  sequence: number
  kind: 'rules' | 'model' | 'human' | 'fallback'
  winner: 'buyer' | 'seller'
  payer_micros: bigint
  grounds: string
}

interface HookRow {
  subscription_id: string
  id: string
  event_id: string
  status: 'pending' | 'retrying' | 'delivered' | 'dead_letter'
  attempts: number
  last_attempt_at: Date | null
}

/** Returns the deliveries of events to the caller's webhooks, by event. */
export async function readWebhooks(
  tx: Tx,
  owner: WebhookOwner,
  eventIds: readonly string[],
): Promise<Map<string, NonNullable<TimelineRow['webhooks']>>> {
  const { rows } = await sql<HookRow>`
    select delivery.subscription_id, delivery.id, delivery.event_id, delivery.status, delivery.attempts,
      delivery.last_attempt_at
    from market.webhook_deliveries delivery
    where delivery.event_id = any(${eventIds}::uuid[]) and delivery.subscription_id in (
      select id from market.webhook_subscriptions where ${owner.which})
    order by delivery.sequence`.execute(tx)
  const byEvent = Map.groupBy(rows, ({ event_id }) => event_id)
  return new Map([...byEvent].map(([eventId, deliveries]) => [eventId, deliveries.map(toHook)]))
}

function toHook({ subscription_id, id, status, attempts, last_attempt_at }: HookRow) {
  return {
    webhook_urn: urn('webhook', subscription_id),
    delivery_id: id,
    ...{ status, attempts },
    ...present({ last_attempt_at: last_attempt_at?.toISOString() ?? null }),
  }
}
