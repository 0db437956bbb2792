import { urnString } from '../../protocol/urn.ts'
import type { Actor } from '../context.ts'
import { audit } from '../db/audit.ts'
import type { Tx } from '../db/pool.ts'
import { notFound, Problem } from '../errors.ts'
import { type PasskeyRow, passkeyColumns } from './list.ts'

/** Gives a passkey of the caller's another name. Throws 404 for others'. */
export async function renamePasskey(tx: Tx, { humanId }: Actor, passkeyId: string, name: string): Promise<PasskeyRow> {
  return tx
    .updateTable('market.passkeys')
    .set({ name })
    .where('id', '=', passkeyId)
    .where('human_id', '=', humanId)
    .returning(passkeyColumns)
    .executeTakeFirstOrThrow(() => notFound('passkey'))
}

/**
 * Removes a passkey of the caller's, and the sessions it began. Throws 404 for others', and passkeys/last-one for the
 * last that lets them in: nobody could let them in again.
 */
export async function removePasskey(tx: Tx, { humanId }: Actor, passkeyId: string): Promise<void> {
  // Of two that are removed at once, the later one sees that the earlier is gone.
  const human = tx.selectFrom('market.humans').select('id').where('id', '=', humanId).forNoKeyUpdate()
  await human.executeTakeFirstOrThrow()
  const good = await tx
    .selectFrom('market.passkeys')
    .select('id')
    .where('human_id', '=', humanId)
    .where('flagged_at', 'is', null)
    .execute()
  if (good.length === 1 && good[0]?.id === passkeyId) {
    throw new Problem('passkeys/last-one', {
      detail: 'This is the last passkey that lets you in: add another one first.',
    })
  }
  await tx
    .deleteFrom('market.passkeys')
    .where('id', '=', passkeyId)
    .where('human_id', '=', humanId)
    .returning('id')
    .executeTakeFirstOrThrow(() => notFound('passkey'))
  const actor = urnString('human', humanId)
  await audit(tx, { actor, action: 'passkey.remove', subject: urnString('passkey', passkeyId) })
}
