import { sql } from 'kysely'
import { urnString } from '../../../protocol/urn.ts'
import type { CallContext } from '../../context.ts'
import { Problem } from '../../errors.ts'
import { audit } from '../audit/audit.ts'
import type { Tx } from '../db/pool.ts'
import { callerUrn, lockWebhook, type WebhookRow } from './find.ts'
import { drawSecret, type NewSecret } from './secret.ts'
import { requireTarget } from './target.ts'
import { moveWebhooks } from './transition.ts'

type Caller = Pick<CallContext, 'actor' | 'settings'>

/** What of a webhook its owner changes. */
export interface WebhookChanges {
  url?: string | undefined
  event_types?: string[] | undefined
  status?: 'active' | 'paused' | undefined
}

/**
 * Changes a webhook of the caller's. Another URL gets another secret at once, so that the former receiver cannot sign
 * for the new one. Returns the webhook, and that secret. Throws 404, request/invalid for a URL that may not be posted
 * to, and webhooks/disabled where its status cannot be changed.
 */
export async function changeWebhook(
  tx: Tx,
  { actor, settings }: Caller,
  id: string,
  { url, event_types, status }: WebhookChanges,
): Promise<{ row: WebhookRow; secret?: string }> {
  const before = await lockWebhook(tx, actor, id)
  if (url !== undefined) requireTarget(settings, url)
  const drawn = url !== undefined && url !== before.url ? drawSecret(settings, id) : undefined
  const row = await tx
    .updateTable('market.webhook_subscriptions')
    .set({
      updated_at: sql`market.now()`,
      ...(event_types ? { event_types } : {}),
      ...(drawn ? { ...stored(drawn), url, former_secret: null, former_until: null } : {}),
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const details = { url: drawn !== undefined, event_types: event_types !== undefined }
  await audit(tx, { actor: callerUrn(actor), action: 'webhook.change', subject: urnString('webhook', id), details })
  const moved = status && status !== row.status ? await setStatus(tx, { actor, settings }, row, status) : row
  return { row: moved, ...(drawn ? { secret: drawn.secret } : {}) }
}

function stored({ secret: _, ...columns }: NewSecret) {
  return columns
}

async function setStatus(
  tx: Tx,
  { actor }: Caller,
  { id }: WebhookRow,
  status: 'active' | 'paused',
): Promise<WebhookRow> {
  const [event, reason] = status === 'active' ? (['resume', null] as const) : (['pause', 'owner'] as const)
  const [moved] = await moveWebhooks(tx, sql<boolean>`id = ${id}`, event, { actor: callerUrn(actor), reason })
  if (moved) return moved
  throw new Problem('webhooks/disabled', { detail: 'This webhook is disabled. Only an operator can enable it again.' })
}
