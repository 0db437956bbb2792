import { type RawBuilder, sql } from 'kysely'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { audit } from '../../audit/audit.ts'
import { lifecycle } from '../../db/lifecycle.ts'
import type { Tx } from '../../db/pool.ts'
import type { WebhookRow } from '../find.ts'
import { type WebhookTransition, webhookTransitions } from './states.ts'

const move = lifecycle('market.webhook_subscriptions', 'status', webhookTransitions)

/** The actor who changes the status of webhooks, and the reason why they are not active afterwards. */
export interface Change {
  actor: string
  reason: WebhookRow['status_reason']
}

/**
 * Applies a transition to the webhooks that a condition selects, if it may start from their status, and
 * writes an audit entry for each. Becoming active clears earlier failures. Returns the webhooks that changed.
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
