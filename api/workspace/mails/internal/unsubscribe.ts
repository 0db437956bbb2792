import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { Settings } from '../../../context.ts'
import { notFound } from '../../../errors.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { unsubscriberOf } from '../deliver.ts'

/**
 * Turns off the mails to the person of a token, until they confirm their address anew. Repeating this changes
 * nothing. Throws the uniform 404 for a token that we did not make.
 */
export async function unsubscribe(tx: Tx, settings: Pick<Settings, 'secretKey'>, token: string): Promise<void> {
  const humanId = unsubscriberOf(settings, token)
  if (humanId === undefined) throw notFound('link')
  // Links that are still in the mailbox do not turn them on again.
  await tx
    .updateTable('market.email_confirmations')
    .set({ token_hash: null, next_attempt_at: null })
    .where('human_id', '=', humanId)
    .execute()
  const { numUpdatedRows } = await tx
    .updateTable('market.humans')
    .set({ confirmed_email: null })
    .where('id', '=', humanId)
    .where('confirmed_email', 'is not', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return
  const person = urnString('human', humanId)
  await audit(tx, { actor: person, action: 'email.unsubscribe', subject: person })
}
