import { sql } from 'kysely'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { Settings } from '../../../context.ts'
import { announce } from '../../announcements/announce.ts'
import type { Tx } from '../../db/pool.ts'
import { EventReceived } from '../../events/announcements.ts'
import { emit } from '../../events/emit.ts'
import type { Envelope } from '../../events/log.ts'
import { OrgWebhookStopped } from '../announcements.ts'
import type { WebhookFamily } from '../family.ts'
import { webhookEvents } from '../module.ts'
import type { Reply } from '../post.ts'
import { endOpenDeliveries } from './endOpen.ts'
import type { LeasedDelivery } from './lease.ts'
import { transitionWebhooks } from './transition.ts'

const JITTER = 0.1
const OWN_DOMAIN = 'webhook.'

/** The result of an attempt, and how long it took. */
export interface Attempt {
  reply: Reply
  latencyMs: number
}

/**
 * Records an attempt: the delivery is delivered, tried again later, or a dead letter. A webhook is paused if
 * all its attempts have failed for long enough. Does nothing if the lease has passed to another process, or
 * the webhook is gone.
 */
export async function recordAttempt(
  tx: Tx,
  settings: Pick<Settings, 'rules' | 'reactions' | 'eventTypes'>,
  family: WebhookFamily,
  delivery: LeasedDelivery,
  { reply, latencyMs }: Attempt,
): Promise<void> {
  const attempts = delivery.attempts + 1
  const verdict = 'status' in reply ? family.verdictOf(reply.status) : 'retrying'
  const isOver = verdict === 'gone' || (verdict === 'retrying' && attempts >= family.maxAttempts)
  const status = isOver ? 'dead_letter' : verdict
  const retryMs = status === 'retrying' ? delayMs(family, attempts, reply) : null
  const { numUpdatedRows } = await tx
    .updateTable('market.webhook_deliveries')
    .set({
      status,
      attempts,
      next_attempt_at:
        retryMs === null ? null : sql<Date>`market.now() + make_interval(secs => ${retryMs / 1000}::float8)`,
      finished_at: retryMs === null ? sql<Date>`market.now()` : null,
      ...{ lease_id: null, leased_until: null, last_attempt_at: sql<Date>`market.now()` },
      last_latency_ms: latencyMs,
      ...answerOf(reply),
      attempt_log: logged(reply, latencyMs),
    })
    .where('id', '=', delivery.id)
    .where('month', '=', sql<string>`${delivery.month}::date`)
    .where('lease_id', '=', delivery.lease_id)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return
  if (status === 'delivered') {
    await forgetFailures(tx, delivery.subscription_id)
    return announceReceived(tx, settings, delivery)
  }
  if (verdict === 'gone') return stopSending(tx, settings, delivery, 'gone')
  await countFailure(tx, settings, delivery)
  // Two broken webhooks of one account would otherwise report each other's dead letters for ever.
  if (status === 'dead_letter' && delivery.org_id === null && !delivery.event_type.startsWith(OWN_DOMAIN))
    await tellDeadLetter(tx, delivery)
}

/**
 * The delay after a number of failed attempts, or the longer one that the receiver asks for, within limits.
 * Up to a tenth is added, so that deliveries that failed together are not retried together.
 */
function delayMs({ retrySeconds, mostDeferredSeconds }: WebhookFamily, attempts: number, reply: Reply): number {
  const seconds = retrySeconds[attempts - 1]
  if (seconds === undefined) throw new Error(`there is no delay after attempt ${attempts}`)
  const asked = 'status' in reply ? Math.min(reply.retryAfterSeconds ?? 0, mostDeferredSeconds(reply.status)) : 0
  return Math.round(Math.max(seconds, asked) * 1000 * (1 + Math.random() * JITTER))
}

async function announceReceived(
  tx: Tx,
  settings: Pick<Settings, 'reactions' | 'eventTypes'>,
  { account_id: accountId, event_type, body }: LeasedDelivery,
): Promise<void> {
  if (!settings.eventTypes[event_type]?.announcesReceipt) return
  const { payload }: Envelope = JSON.parse(body)
  await announce(tx, settings, EventReceived, { accountId, event: { event_type, payload } })
}

async function forgetFailures(tx: Tx, webhookId: string): Promise<void> {
  await tx
    .updateTable('market.webhook_subscriptions')
    .set({ failing_since: null, failures: 0 })
    .where('id', '=', webhookId)
    .where('failing_since', 'is not', null)
    .execute()
}

/** The columns of the last answer, or of why there was none. */
function answerOf(reply: Reply) {
  if ('failure' in reply)
    return { last_status: null, last_response: null, last_headers: null, last_failure: reply.failure }
  const { status, excerpt, headers } = reply
  return {
    last_status: status,
    last_response: excerpt,
    last_headers: JSON.stringify(headers),
    last_failure: null,
  }
}

/** The attempts of a delivery, including this one. */
function logged(reply: Reply, latencyMs: number) {
  const [status, failure] = 'status' in reply ? [reply.status, null] : [null, reply.failure]
  return sql<string>`attempt_log || jsonb_build_object(
    'attempted_at', to_char(market.now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'status_code', ${status}::int, 'latency_ms', ${latencyMs}::int, 'failure', ${failure}::text)`
}

async function countFailure(
  tx: Tx,
  settings: Pick<Settings, 'rules' | 'reactions'>,
  delivery: LeasedDelivery,
): Promise<void> {
  const { webhookPauseSeconds, webhookPauseAttempts } = settings.rules
  const { rows } = await sql<{ is_hopeless: boolean }>`
    update market.webhook_subscriptions
    set failing_since = coalesce(failing_since, market.now()), failures = failures + 1
    where id = ${delivery.subscription_id}
    returning failures >= ${webhookPauseAttempts}
      and failing_since <= market.now() - make_interval(secs => ${webhookPauseSeconds}) as is_hopeless`.execute(tx)
  if (rows[0]?.is_hopeless) await stopSending(tx, settings, delivery, 'failing')
}

/**
 * Pauses a webhook, as the service, and notifies its owner. If its receiver is gone, its open deliveries end.
 */
async function stopSending(
  tx: Tx,
  settings: Pick<Settings, 'reactions'>,
  { subscription_id: id, account_id, org_id: orgId }: LeasedDelivery,
  reason: 'failing' | 'gone',
): Promise<void> {
  if (reason === 'gone') await endOpenDeliveries(tx, id, 'gone')
  const [paused] = await transitionWebhooks(tx, sql<boolean>`id = ${id}`, 'suspend', { actor: 'service', reason })
  if (!paused) return
  if (orgId !== null) return announce(tx, settings, OrgWebhookStopped, { webhookId: id, orgId })
  await emit(tx, webhookEvents['webhook.subscription.paused'], {
    payload: { webhook_urn: urnString('webhook', id), status: 'paused' },
    visibleTo: [account_id],
  })
}

async function tellDeadLetter(tx: Tx, delivery: LeasedDelivery): Promise<void> {
  await emit(tx, webhookEvents['webhook.dead_letter'], {
    payload: {
      webhook_urn: urnString('webhook', delivery.subscription_id),
      delivery_id: delivery.id,
      event_id: delivery.event_id,
      event_type: delivery.event_type,
    },
    visibleTo: [delivery.account_id],
  })
}
