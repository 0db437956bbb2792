import { type RawBuilder, sql } from 'kysely'
import { urnString } from '../../../protocol/encoding/urn.ts'
import { audit } from '../audit/audit.ts'
import { lifecycle } from '../db/lifecycle.ts'
import type { Tx } from '../db/pool.ts'
import type { WebhookRow } from './find.ts'
import { type WebhookTransition, webhookTransitions } from './states.ts'

const move = lifecycle('market.webhook_subscriptions', 'status', webhookTransitions)

/** Who changes the status of webhooks, and why they are not active afterwards. */
export interface Change {
  actor: string
  reason: WebhookRow['status_reason']
}

/**
 * Moves the webhooks that a condition selects, as far as the transition starts from their status, and writes an audit entry
 * for each. Becoming active forgets former failures. Returns those that were moved.
 */
export async function transitionWebhooks(
  tx: Tx,
  which: RawBuilder<boolean>,
  name: WebhookTransition,
  { actor, reason }: Change,
): Promise<WebhookRow[]> {
  const moved = await move(tx, which, name, {
    status_reason: reason,
    updated_at: sql`market.now()`,
    ...(webhookTransitions[name].to === 'active' ? { failing_since: null, failures: 0 } : {}),
  })
  for (const { id } of moved) {
    const subject = urnString('webhook', id)
    await audit(tx, { actor, action: `webhook.${name}`, subject, ...(reason ? { details: { reason } } : {}) })
  }
  return moved
}
