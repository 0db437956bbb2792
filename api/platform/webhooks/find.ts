import { type Selectable, sql } from 'kysely'
import { urn } from '../../../protocol/encoding/urn.ts'
import { notFound } from '../../errors.ts'
import type { Database } from '../db/generated/tables.ts'
import type { Tx } from '../db/pool.ts'
import { present } from '../http/route/schemas.ts'
import type { WebhookOwner } from './owner.ts'
import type { WireDelivery, WireDeliveryDetail, WireWebhook } from './routes.ts'

/** A webhook as it is stored. */
export type WebhookRow = Selectable<Database['market.webhook_subscriptions']>

/** Returns a webhook of the caller's. Throws the uniform 404. */
export async function readWebhook(tx: Tx, owner: WebhookOwner, id: string): Promise<WebhookRow> {
  return tx
    .selectFrom('market.webhook_subscriptions')
    .selectAll()
    .where('id', '=', id)
    .where(owner.which)
    .executeTakeFirstOrThrow(() => notFound('webhook'))
}

/** Returns a webhook of the caller's and locks it until the transaction ends. Throws the uniform 404. */
export async function lockWebhook(tx: Tx, owner: WebhookOwner, id: string): Promise<WebhookRow> {
  const query = tx.selectFrom('market.webhook_subscriptions').selectAll().where('id', '=', id).where(owner.which)
  // An org's webhook is also locked against new deliveries, which lock it for their reference. The caller can
  // then end all earlier ones.
  const locked = owner.orgId === null ? query.forNoKeyUpdate() : query.forUpdate()
  return locked.executeTakeFirstOrThrow(() => notFound('webhook'))
}

/**
 * Returns whether a webhook may be sent to. Nothing is sent to a webhook of an org while the person who chose
 * its URL may not manage it: they are no longer an owner or admin, or the agent through which they chose it
 * is shut out.
 */
export async function maySend(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await sql<{ may_send: boolean }>`
    select market.may_send(hook) as may_send from market.webhook_subscriptions hook where id = ${id}`.execute(tx)
  return rows[0]?.may_send ?? false
}

/** Lists the webhooks a caller may manage, newest first, starting below an id. */
export async function listWebhookRows(
  tx: Tx,
  owner: WebhookOwner,
  page: { from: string | undefined; limit: number },
): Promise<WebhookRow[]> {
  let query = tx
    .selectFrom('market.webhook_subscriptions')
    .selectAll()
    .where(owner.which)
    .orderBy('id', 'desc')
    .limit(page.limit)
  if (page.from) query = query.where('id', '<', page.from)
  return query.execute()
}

/** Returns a webhook in its wire form, without its secret. */
export function toWebhook(row: WebhookRow): WireWebhook {
  return {
    urn: urn('webhook', row.id),
    owner_urn: ownerUrn(row),
    url: row.url,
    event_types: row.event_types,
    secret_hash: row.secret_hash,
    status: row.status,
    ...(row.status_reason ? { status_reason: row.status_reason } : {}),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

function ownerUrn({ account_id: accountId, human_id: humanId, org_id: orgId }: WebhookRow) {
  if (orgId !== null) return urn('org', orgId)
  return accountId === humanId ? urn('human', humanId) : urn('agent', accountId)
}

/** A delivery as it is stored. */
export type DeliveryRow = Selectable<Database['market.webhook_deliveries']>

/** A filter for the deliveries of a webhook. Without a member: all. */
export interface DeliveryFilter {
  status?: DeliveryRow['status'] | undefined
  /** The id of the event. */
  type?: string | undefined
}

/** Lists the deliveries of a webhook that match a filter, newest first, starting below a sequence number. */
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

/** Returns a delivery in its wire form, with the headers of the last answer. */
export function toDeliveryDetail(row: DeliveryRow): WireDeliveryDetail {
  return { ...toDelivery(row), ...present({ response_headers: row.last_headers }) }
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
    attempt_log: row.attempt_log,
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
