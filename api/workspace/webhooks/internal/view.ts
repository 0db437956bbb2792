import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/pool.ts'
import { present } from '../../../platform/http/route/schemas.ts'
import type { DeliveryRow, WebhookRow } from '../../../platform/webhooks/find.ts'

/** Returns webhooks of an org in their wire form, without their secrets. */
export async function toOrgWebhooks(tx: Tx, rows: readonly WebhookRow[]) {
  const ids = rows.map(({ id }) => id)
  const { rows: held } = await sql<{ id: string }>`
    select id from market.webhook_subscriptions hook where id = any(${ids}) and not market.may_send(hook)`.execute(tx)
  const heldIds = new Set(held.map(({ id }) => id))
  return rows.map((row) => view(row, heldIds.has(row.id)))
}

/** Returns a webhook of an org in its wire form, without its secret. */
export async function toOrgWebhook(tx: Tx, row: WebhookRow) {
  const [webhook] = await toOrgWebhooks(tx, [row])
  return webhook as ReturnType<typeof view>
}

function view(row: WebhookRow, isHeld: boolean) {
  const { id, url, event_types: events, spaces } = row
  const isSilent = isHeld && row.status === 'active'
  return {
    ...{ id, url, events, spaces },
    status: isSilent ? ('paused' as const) : row.status,
    status_reason: isSilent ? ('no_access' as const) : row.status_reason,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

/** Returns a delivery in its wire form. */
export function toOrgDelivery(row: DeliveryRow) {
  const { id, event_id, event_type: type, status, attempt_log: attempts } = row
  return {
    ...{ id, event_id, type, status, attempts },
    status_code: row.last_status,
    latency_ms: row.last_latency_ms,
    failure: row.last_failure,
    created_at: row.created_at.toISOString(),
    ...present({ last_attempt_at: row.last_attempt_at?.toISOString() ?? null }),
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
  }
}
