import { sql } from 'kysely'
import { urnString } from '../../../protocol/encoding/urn.ts'
import type { Settings } from '../../context.ts'
import { notFound, Problem } from '../../errors.ts'
import { audit } from '../audit/audit.ts'
import type { Tx } from '../db/pool.ts'
import { type DeliveryRow, readWebhook } from './find.ts'
import type { WebhookOwner } from './owner.ts'
import { webhookProblems } from './problems.ts'

type Caller = { owner: WebhookOwner; settings: Settings }

const MOST_AT_ONCE = 10_000

const AFRESH = {
  status: 'pending',
  attempts: 0,
  attempt_log: '[]',
  next_attempt_at: sql<Date>`market.now()`,
  finished_at: null,
} as const

/**
 * Sends a delivery of the caller's again, with as many attempts as a new one. Throws 404, and
 * webhooks/not-replayable for a delivery that is still being sent or is too old.
 */
export async function replayDelivery(
  tx: Tx,
  { owner, settings }: Caller,
  webhookId: string,
  deliveryId: string,
): Promise<DeliveryRow> {
  await readWebhook(tx, owner, webhookId)
  const row = await tx
    .updateTable('market.webhook_deliveries')
    .set(AFRESH)
    .where('subscription_id', '=', webhookId)
    .where('id', '=', deliveryId)
    .where('finished_at', '>', keptSince(settings))
    .returningAll()
    .executeTakeFirst()
  if (!row) throw await notReplayable(tx, webhookId, deliveryId)
  const subject = urnString('webhook', webhookId)
  await audit(tx, { actor: owner.urn, action: 'webhook.replay', subject, details: { delivery_id: deliveryId } })
  return row
}

/**
 * Sends the dead letters of a webhook of the caller's again if their events are from `since` or later, oldest
 * first. Returns their number, at most 10,000. Throws the uniform 404.
 */
export async function recoverDeliveries(
  tx: Tx,
  { owner, settings }: Caller,
  webhookId: string,
  since: Date,
): Promise<number> {
  await readWebhook(tx, owner, webhookId)
  const dead = tx
    .selectFrom('market.webhook_deliveries')
    .select('sequence')
    .where('subscription_id', '=', webhookId)
    .where('status', '=', 'dead_letter')
    .where('created_at', '>=', since)
    .where('finished_at', '>', keptSince(settings))
    .orderBy('sequence')
    .limit(MOST_AT_ONCE)
  const { numUpdatedRows } = await tx
    .updateTable('market.webhook_deliveries')
    .set(AFRESH)
    .where('subscription_id', '=', webhookId)
    .where('sequence', 'in', dead)
    .where('status', '=', 'dead_letter')
    .executeTakeFirstOrThrow()
  const details = { since: since.toISOString(), recovered: Number(numUpdatedRows) }
  const subject = urnString('webhook', webhookId)
  await audit(tx, { actor: owner.urn, action: 'webhook.recover', subject, details })
  return Number(numUpdatedRows)
}

function keptSince({ rules }: Pick<Settings, 'rules'>) {
  return sql<Date>`market.now() - make_interval(secs => ${rules.webhookRetentionSeconds})`
}

async function notReplayable(tx: Tx, webhookId: string, deliveryId: string): Promise<Problem> {
  const row = await tx
    .selectFrom('market.webhook_deliveries')
    .select('status')
    .where('subscription_id', '=', webhookId)
    .where('id', '=', deliveryId)
    .executeTakeFirst()
  if (!row) return notFound('delivery')
  return new Problem(webhookProblems.notReplayable, {
    detail: `The delivery is ${row.status}: it is still being sent, or too old to be sent again.`,
  })
}
