import { type Selectable, sql } from 'kysely'
import { urn } from '../../../protocol/encoding/urn.ts'
import { notFound } from '../../errors.ts'
import type { Database } from '../db/generated/tables.ts'
import type { Tx } from '../db/pool.ts'
import type { WebhookOwner } from './owner.ts'
import type { WireWebhook } from './routes.ts'

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
  // An org's: against new deliveries too, which lock it for their reference. What was emitted before is then there to be ended.
  const locked = owner.orgId === null ? query.forNoKeyUpdate() : query.forUpdate()
  return locked.executeTakeFirstOrThrow(() => notFound('webhook'))
}

/**
 * Returns whether a webhook may be sent to. One of an org may not while whoever chose its URL may not manage it: they are no
 * owner or admin any more, or the agent that they chose it through is shut out.
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
