import { sql } from 'kysely'
import { urnString } from '../../../protocol/encoding/urn.ts'
import type { Settings } from '../../context.ts'
import { notFound, Problem } from '../../errors.ts'
import { audit } from '../audit/audit.ts'
import type { Tx } from '../db/pool.ts'
import { lockWebhook, maySend, type WebhookRow } from './find.ts'
import { endOpenDeliveries } from './internal/endOpen.ts'
import { transitionWebhooks } from './internal/transition.ts'
import type { WebhookOwner } from './owner.ts'
import { webhookProblems } from './problems.ts'
import { drawSecret, type NewSecret } from './secret.ts'
import { requireTarget } from './target.ts'

interface Caller {
  owner: WebhookOwner
  settings: Settings
}

/** The members of a webhook that its owner can change. */
export interface WebhookChanges {
  url?: string | undefined
  event_types?: string[] | undefined
  /** Null for every space. */
  spaces?: string[] | null | undefined
  status?: 'active' | 'paused' | undefined
}

/**
 * Changes a webhook of the caller's. A new URL gets a new secret at once, so that the former receiver cannot
 * sign for the new one. Earlier events are not sent to a new URL of an org's webhook, and the caller who
 * chose it becomes responsible for it. A caller also becomes responsible by activating an org's webhook, or
 * naming its URL again, if nothing is sent to it because the person responsible may no longer manage it.
 * Returns the webhook, and the new secret. Throws 404, request/invalid for a URL that may not be posted to,
 * and webhooks/disabled if its status cannot be changed.
 */
export async function changeWebhook(
  tx: Tx,
  { owner, settings }: Caller,
  id: string,
  { url, event_types, spaces, status }: WebhookChanges,
): Promise<{ row: WebhookRow; secret?: string }> {
  const before = await lockWebhook(tx, owner, id)
  if (url !== undefined) requireTarget(settings, url)
  const drawn = url !== undefined && url !== before.url ? drawSecret(settings, id) : undefined
  const takesOver = drawn !== undefined || ((status === 'active' || url !== undefined) && !(await maySend(tx, id)))
  const row = await tx
    .updateTable('market.webhook_subscriptions')
    .set({
      updated_at: sql`market.now()`,
      ...(event_types ? { event_types } : {}),
      ...(spaces === undefined ? {} : { spaces }),
      ...(takesOver ? chosenBy(owner) : {}),
      ...(drawn ? { ...stored(drawn), url, former_secret: null, former_until: null } : {}),
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (drawn && owner.orgId !== null) await endOpenDeliveries(tx, id, 'url_changed')
  const details = { url: drawn !== undefined, event_types: event_types !== undefined, answers_for_it: takesOver }
  await audit(tx, { actor: owner.urn, action: 'webhook.change', subject: urnString('webhook', id), details })
  const moved = status && status !== row.status ? await setStatus(tx, owner, row, status) : row
  return { row: moved, ...(drawn ? { secret: drawn.secret } : {}) }
}

function chosenBy({ humanId, agentId, orgId }: WebhookOwner) {
  return { human_id: humanId, agent_id: orgId === null ? null : agentId }
}

function stored({ secret: _, ...columns }: NewSecret) {
  return columns
}

async function setStatus(
  tx: Tx,
  owner: WebhookOwner,
  { id }: WebhookRow,
  status: 'active' | 'paused',
): Promise<WebhookRow> {
  const [event, reason] = status === 'active' ? (['resume', null] as const) : (['pause', 'owner'] as const)
  const [moved] = await transitionWebhooks(tx, sql<boolean>`id = ${id}`, event, { actor: owner.urn, reason })
  if (moved) return moved
  throw new Problem(webhookProblems.disabled, {
    detail: 'This webhook is disabled. Only an operator can enable it again.',
  })
}

/** Deletes a webhook of the caller's and all its deliveries. Throws the uniform 404. */
export async function removeWebhook(tx: Tx, owner: WebhookOwner, id: string): Promise<void> {
  await tx
    .deleteFrom('market.webhook_subscriptions')
    .where('id', '=', id)
    .where(owner.which)
    .returning('id')
    .executeTakeFirstOrThrow(() => notFound('webhook'))
  await audit(tx, { actor: owner.urn, action: 'webhook.delete', subject: urnString('webhook', id) })
}

/**
 * Gives a webhook of the caller's a new secret. The former one also signs until `rules.webhookOverlapSeconds`
 * from now. Returns the webhook and the secret. Throws the uniform 404.
 */
export async function rotateSecret(
  tx: Tx,
  { owner, settings }: { owner: WebhookOwner; settings: Settings },
  id: string,
): Promise<{ row: WebhookRow; secret: string }> {
  const { secret, ...stored } = drawSecret(settings, id)
  const row = await tx
    .updateTable('market.webhook_subscriptions')
    .set({
      ...stored,
      former_secret: sql`sealed_secret`,
      former_until: sql`market.now() + make_interval(secs => ${settings.rules.webhookOverlapSeconds})`,
      updated_at: sql`market.now()`,
    })
    .where('id', '=', id)
    .where(owner.which)
    .returningAll()
    .executeTakeFirstOrThrow(() => notFound('webhook'))
  await audit(tx, { actor: owner.urn, action: 'webhook.rotate_secret', subject: urnString('webhook', id) })
  return { row, secret }
}
