import { sql } from 'kysely'
import { urnString } from '../../../protocol/urn.ts'
import type { CallContext } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { audit } from '../audit/audit.ts'
import type { Tx } from '../db/pool.ts'
import { callerUrn, isOwn, type WebhookRow } from './find.ts'
import { drawSecret } from './secret.ts'

/**
 * Gives a webhook of the caller's a new secret. Until `rules.webhookOverlapSeconds` from now, the former one signs too.
 * Returns the webhook and the secret. Throws the uniform 404.
 */
export async function rotateSecret(
  tx: Tx,
  { actor, settings }: Pick<CallContext, 'actor' | 'settings'>,
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
    .where(isOwn(actor))
    .returningAll()
    .executeTakeFirstOrThrow(() => notFound('webhook'))
  await audit(tx, { actor: callerUrn(actor), action: 'webhook.rotate_secret', subject: urnString('webhook', id) })
  return { row, secret }
}
