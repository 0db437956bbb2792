import { type RawBuilder, sql } from 'kysely'
import { urnString } from '../../../protocol/encoding/urn.ts'
import { audit } from '../audit/audit.ts'
import type { Tx } from '../db/pool.ts'
import type { WebhookRow } from './find.ts'
import { type WebhookEvent, webhookTransitions } from './states.ts'

/** Who changes the status of webhooks, and why they are not active afterwards. */
export interface Change {
  actor: string
  reason: WebhookRow['status_reason']
}

/**
 * Moves the webhooks that a condition selects, as far as the event applies to their status, and writes an audit entry
 * for each. Becoming active forgets former failures. Returns those that were moved.
 */
export async function transitionWebhooks(
  tx: Tx,
  which: RawBuilder<boolean>,
  event: WebhookEvent,
  { actor, reason }: Change,
): Promise<WebhookRow[]> {
  const { from, to } = webhookTransitions[event]
  const moved = await tx
    .updateTable('market.webhook_subscriptions')
    .set({
      status: to,
      status_reason: reason,
      updated_at: sql`market.now()`,
      ...(to === 'active' ? { failing_since: null, failures: 0 } : {}),
    })
    .where(which)
    .where('status', 'in', from)
    .returningAll()
    .execute()
  for (const { id } of moved) {
    const subject = urnString('webhook', id)
    await audit(tx, { actor, action: `webhook.${event}`, subject, ...(reason ? { details: { reason } } : {}) })
  }
  return moved
}
