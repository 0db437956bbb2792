import { urnString } from '../../../protocol/encoding/urn.ts'
import { notFound } from '../../errors.ts'
import { audit } from '../audit/audit.ts'
import type { Tx } from '../db/pool.ts'
import type { WebhookOwner } from './owner.ts'

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
