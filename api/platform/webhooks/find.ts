import { type RawBuilder, type Selectable, sql } from 'kysely'
import { urn, urnString } from '../../../protocol/urn.ts'
import type { Actor } from '../../context.ts'
import { notFound } from '../../errors.ts'
import type { Tx } from '../db/pool.ts'
import type { Database } from '../db/schema.ts'
import type { WireWebhook } from './routes.ts'

/** A webhook as it is stored. */
export type WebhookRow = Selectable<Database['market.webhook_subscriptions']>

/** The webhooks a caller may manage: those of its account, and for a human those of their agents. */
export function isOwn({ agentId, humanId }: Actor): RawBuilder<boolean> {
  return agentId ? sql<boolean>`account_id = ${agentId}` : sql<boolean>`human_id = ${humanId}`
}

/** Returns a webhook of the caller's. Throws the uniform 404. */
export async function readWebhook(tx: Tx, actor: Actor, id: string): Promise<WebhookRow> {
  return tx
    .selectFrom('market.webhook_subscriptions')
    .selectAll()
    .where('id', '=', id)
    .where(isOwn(actor))
    .executeTakeFirstOrThrow(() => notFound('webhook'))
}

/** Returns a webhook of the caller's and locks it until the transaction ends. Throws the uniform 404. */
export async function lockWebhook(tx: Tx, actor: Actor, id: string): Promise<WebhookRow> {
  return tx
    .selectFrom('market.webhook_subscriptions')
    .selectAll()
    .where('id', '=', id)
    .where(isOwn(actor))
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(() => notFound('webhook'))
}

/** Lists the webhooks a caller may manage, newest first, starting below an id. */
export async function listWebhookRows(
  tx: Tx,
  actor: Actor,
  page: { from: string | undefined; limit: number },
): Promise<WebhookRow[]> {
  let query = tx
    .selectFrom('market.webhook_subscriptions')
    .selectAll()
    .where(isOwn(actor))
    .orderBy('id', 'desc')
    .limit(page.limit)
  if (page.from) query = query.where('id', '<', page.from)
  return query.execute()
}

/** Returns the URN of the caller, as audit entries name it. */
export function callerUrn({ agentId, humanId }: Actor): string {
  return agentId ? urnString('agent', agentId) : urnString('human', humanId)
}

/** Returns a webhook in its wire form, without its secret. */
export function toWebhook(row: WebhookRow): WireWebhook {
  return {
    urn: urn('webhook', row.id),
    owner_urn: row.account_id === row.human_id ? urn('human', row.human_id) : urn('agent', row.account_id),
    url: row.url,
    event_types: row.event_types,
    secret_hash: row.secret_hash,
    status: row.status,
    ...(row.status_reason ? { status_reason: row.status_reason } : {}),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
