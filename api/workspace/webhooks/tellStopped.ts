import type { Tx } from '../../platform/db/pool.ts'
import type { OrgWebhookStopped } from '../../platform/webhooks/facts.ts'
import { managersOf, notify } from '../notifications/notify.ts'

/** Tells the owners and admins of an org that the service stopped to send to a webhook of theirs. */
export async function tellWebhookStopped(tx: Tx, { orgId, webhookId }: OrgWebhookStopped): Promise<void> {
  await notify(tx, {
    ...{ kind: 'webhook.stopped', orgId, by: null, spaceId: null },
    recipients: await managersOf(tx, orgId),
    entity: { type: 'webhook', id: webhookId, short_id: null },
  })
}
