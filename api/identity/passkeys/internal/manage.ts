import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { Actor } from '../../../context.ts'
import { notFound, Problem } from '../../../errors.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { passkeyProblems } from '../problems.ts'
import { type PasskeyRow, passkeyColumns } from './list.ts'

/** Renames a passkey of the caller. Throws 404 for a passkey of another human. */
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
 * Removes a passkey of the caller and the sessions it began. Throws 404 for a passkey of another human, and
 * passkeys/last-one for the last usable one: without it the account could not be signed in to again.
 */
export async function removePasskey(tx: Tx, { humanId }: Actor, passkeyId: string): Promise<void> {
  // The lock serialises concurrent removals, so the later one sees the earlier.
  const human = tx.selectFrom('market.humans').select('id').where('id', '=', humanId).forNoKeyUpdate()
  await human.executeTakeFirstOrThrow()
  const good = await tx
    .selectFrom('market.passkeys')
    .select('id')
    .where('human_id', '=', humanId)
    .where('flagged_at', 'is', null)
    .execute()
  if (good.length === 1 && good[0]?.id === passkeyId) {
    throw new Problem(passkeyProblems.lastOne, {
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
