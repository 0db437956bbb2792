import { urnString } from '../../../protocol/urn.ts'
import type { Actor } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { audit } from '../audit/audit.ts'
import type { Tx } from '../db/pool.ts'
import { callerUrn, isOwn } from './find.ts'

/** Deletes a webhook of the caller's and all its deliveries. Throws the uniform 404. */
export async function removeWebhook(tx: Tx, actor: Actor, id: string): Promise<void> {
  await tx
    .deleteFrom('market.webhook_subscriptions')
    .where('id', '=', id)
    .where(isOwn(actor))
    .returning('id')
    .executeTakeFirstOrThrow(() => notFound('webhook'))
  await audit(tx, { actor: callerUrn(actor), action: 'webhook.delete', subject: urnString('webhook', id) })
}
