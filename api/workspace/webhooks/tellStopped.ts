import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/db/pool.ts'
import type { OrgWebhookStopped } from '../../platform/webhooks/announcements.ts'
import { managersOf, notify } from '../notifications/notify.ts'
import { webhookNotices } from './module.ts'

/**
 * Tells the owners and admins of an org which webhooks are stopped because the account that chose their URLs
 * may not manage them: a human who is no longer an owner or admin, or an agent that was shut out.
 */
export async function tellWebhooksHeld(
  tx: Tx,
  orgId: string,
  chosenBy: { humanId: string } | { agentId: string },
): Promise<void> {
  const isTheirs: RawBuilder<boolean> =
    'humanId' in chosenBy ? sql`hook.human_id = ${chosenBy.humanId}` : sql`hook.agent_id = ${chosenBy.agentId}`
  const { rows } = await sql<{ id: string }>`
    select hook.id from market.webhook_subscriptions hook
    where hook.org_id = ${orgId} and ${isTheirs} and hook.status = 'active' and not market.may_send(hook)
    order by hook.id`.execute(tx)
  for (const { id } of rows) await tellWebhookStopped(tx, { orgId, webhookId: id })
}

/** Tells the owners and admins of an org that the service stopped sending to a webhook of theirs. */
export async function tellWebhookStopped(tx: Tx, { orgId, webhookId }: OrgWebhookStopped): Promise<void> {
  await notify(tx, {
    ...{ kind: webhookNotices['webhook.stopped'], orgId, by: null, spaceId: null },
    recipients: await managersOf(tx, orgId),
    entity: { type: 'webhook', id: webhookId, short_id: null },
  })
}
