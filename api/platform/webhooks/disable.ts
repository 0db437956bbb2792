import { sql } from 'kysely'
import { urnString } from '../../../protocol/encoding/urn.ts'
import type { Actor } from '../../context.ts'
import { notFound, Problem, type ProblemType } from '../../errors.ts'
import type { Tx } from '../db/pool.ts'
import type { WebhookRow } from './find.ts'
import { type Change, transitionWebhooks } from './internal/transition.ts'
import { webhookProblems } from './problems.ts'

/**
 * Disables any account's webhook, as an operator. Throws 404, and webhooks/disabled if it is already
 * disabled.
 */
export async function disableWebhook(tx: Tx, actor: Actor, id: string): Promise<WebhookRow> {
  const refusal = webhookProblems.disabled
  return moveOne(tx, id, 'disable', { actor: urnString('human', actor.humanId), reason: 'operator' }, refusal)
}

/** Makes a disabled webhook active again, as an operator. Throws 404, and webhooks/not-disabled. */
export async function enableWebhook(tx: Tx, actor: Actor, id: string): Promise<WebhookRow> {
  const refusal = webhookProblems.notDisabled
  return moveOne(tx, id, 'enable', { actor: urnString('human', actor.humanId), reason: null }, refusal)
}

/** Disables every webhook of an agent, because the agent was deactivated. */
export async function disableWebhooksOf(tx: Tx, agentId: string): Promise<void> {
  await transitionWebhooks(tx, sql<boolean>`account_id = ${agentId} and org_id is null`, 'disable', {
    actor: 'service',
    reason: 'deactivated',
  })
}

async function moveOne(
  tx: Tx,
  id: string,
  event: 'disable' | 'enable',
  change: Change,
  refusal: ProblemType,
): Promise<WebhookRow> {
  const [moved] = await transitionWebhooks(tx, sql<boolean>`id = ${id}`, event, change)
  if (moved) return moved
  const { rows } = await sql`select from market.webhook_subscriptions where id = ${id}`.execute(tx)
  if (rows.length === 0) throw notFound('webhook')
  throw new Problem(refusal, { detail: `The status of this webhook does not allow to ${event} it.` })
}
