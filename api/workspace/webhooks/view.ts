import type { DeliveryRow } from '../../platform/webhooks/deliveries.ts'
import type { WebhookRow } from '../../platform/webhooks/find.ts'

/** Returns a webhook of an org in its wire form, without its secret. */
export function toOrgWebhook({ id, url, event_types, spaces, status, status_reason, ...row }: WebhookRow) {
  return {
    ...{ id, url, events: event_types, spaces, status, status_reason },
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
    last_attempt_at: row.last_attempt_at?.toISOString() ?? null,
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
  }
}
