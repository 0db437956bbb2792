import { sql } from 'kysely'
import { urnString } from '../../../protocol/encoding/urn.ts'
import type { Settings } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { audit } from '../audit/audit.ts'
import type { Tx } from '../db/pool.ts'
import type { WebhookRow } from './find.ts'
import type { WebhookOwner } from './owner.ts'
import { drawSecret } from './secret.ts'

/**
 * Gives a webhook of the caller's a new secret. Until `rules.webhookOverlapSeconds` from now, the former one signs too.
 * Returns the webhook and the secret. Throws the uniform 404.
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
