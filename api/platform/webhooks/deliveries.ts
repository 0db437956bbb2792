import { type Selectable, sql } from 'kysely'
import { urn } from '../../../protocol/encoding/urn.ts'
import { notFound } from '../../errors.ts'
import type { Database } from '../db/generated/tables.ts'
import type { Tx } from '../db/pool.ts'
import { present } from '../http/route/present.ts'
import type { WireDelivery, WireDeliveryDetail } from './routes.ts'

/** A delivery as it is stored. */
export type DeliveryRow = Selectable<Database['market.webhook_deliveries']>

/** Which deliveries of a webhook are listed. Without a member: all. */
export interface DeliveryFilter {
  status?: DeliveryRow['status'] | undefined
  /** Of the event. */
  type?: string | undefined
}

/** Lists the deliveries of a webhook that a filter names, newest first, starting below a sequence number. */
export async function listDeliveryRows(
  tx: Tx,
  webhookId: string,
  { status, type }: DeliveryFilter,
  page: { from: string | undefined; limit: number },
): Promise<DeliveryRow[]> {
  let query = tx
    .selectFrom('market.webhook_deliveries')
    .selectAll()
    .where('subscription_id', '=', webhookId)
    .orderBy('sequence', 'desc')
    .limit(page.limit)
  if (status) query = query.where('status', '=', status)
  if (type) query = query.where('event_type', '=', type)
  if (page.from) query = query.where('sequence', '<', sql<bigint>`${page.from}::bigint`)
  return query.execute()
}

/** Returns a delivery of a webhook. Throws the uniform 404. The caller has checked whose webhook it is. */
export async function readDeliveryRow(tx: Tx, webhookId: string, id: string): Promise<DeliveryRow> {
  const row = await tx
    .selectFrom('market.webhook_deliveries')
    .selectAll()
    .where('subscription_id', '=', webhookId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound('delivery')
  return row
}

/** Returns a delivery in its wire form, with each attempt since it was last replayed. */
export function toDeliveryDetail(row: DeliveryRow): WireDeliveryDetail {
  return { ...toDelivery(row), attempt_log: row.attempt_log }
}

/** Returns a delivery in its wire form. */
export function toDelivery(row: DeliveryRow): WireDelivery {
  return {
    id: row.id,
    subscription_urn: urn('webhook', row.subscription_id),
    event_id: row.event_id,
    event_type: row.event_type,
    status: row.status,
    attempts: row.attempts,
    created_at: row.created_at.toISOString(),
    ...present({
      last_attempt_at: row.last_attempt_at?.toISOString() ?? null,
      next_attempt_at: row.status === 'retrying' ? (row.next_attempt_at?.toISOString() ?? null) : null,
      response_status: row.last_status,
      response_body: row.last_response,
      latency_ms: row.last_latency_ms,
      failure: row.last_failure,
    }),
  }
}
