import { newId } from '../../../protocol/encoding/ids.ts'
import { currentTraceparent } from '../../../protocol/telemetry/trace.ts'
import { Problem } from '../../errors.ts'
import type { Tx } from '../db/pool.ts'
import { type DeliveryRow, lockWebhook, maySend } from './find.ts'
import type { WebhookOwner } from './owner.ts'
import { webhookProblems } from './problems.ts'

/**
 * Sends an event of type webhook.test, with these further members, to one webhook of the caller's. It is not
 * in the log. Throws 404, and webhooks/not-active while nothing is sent to the webhook.
 */
export async function sendTestEvent(
  tx: Tx,
  owner: WebhookOwner,
  webhookId: string,
  about: Readonly<Record<string, unknown>>,
): Promise<DeliveryRow> {
  const { status } = await lockWebhook(tx, owner, webhookId)
  if (status !== 'active') {
    throw new Problem(webhookProblems.notActive, { detail: `Nothing is sent to this webhook: it is ${status}.` })
  }
  if (!(await maySend(tx, webhookId))) {
    throw new Problem(webhookProblems.notActive, {
      detail:
        'Nothing is sent to this webhook: the account that chose its URL may no longer manage it. Set it to active to take it over.',
    })
  }
  const event = { event_id: newId(), event_type: 'webhook.test', ...about }
  return tx
    .insertInto('market.webhook_deliveries')
    .values({
      subscription_id: webhookId,
      event_id: event.event_id,
      event_type: event.event_type,
      body: JSON.stringify(event),
      traceparent: currentTraceparent(),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}
