import { sql } from 'kysely'
import { notFound, Problem } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import type { SealingKeys } from '../../../platform/signing/seal.ts'
import { confirmationProblems } from '../../confirmations/problems.ts'
import type { Member } from '../../membership.ts'
import { accountIdOf, notify } from '../../notifications/notify.ts'
import { recordChange } from '../../recordChange.ts'
import { findSecret, toSecret } from '../find.ts'
import { secretEvents, secretNotices } from '../module.ts'
import { openValue } from '../values.ts'
import { readSecretPolicy } from './policy.ts'

/**
 * Returns a secret with its value. The event and the audit entry are in the transaction, and the answer is
 * sent after its commit: nobody gets the value without a trace. If the org requires it, an agent names a
 * question about this secret that its human has confirmed, and uses it up. Throws the uniform 404, and 403
 * without such a question.
 */
export async function revealSecret(
  tx: Tx,
  settings: SealingKeys,
  member: Member,
  ref: string,
  confirmationId: string | undefined,
) {
  const secret = await findSecret(tx, member, ref)
  const { id, short_id, space_id: spaceId } = secret
  if (member.via === 'agent' && (await readSecretPolicy(tx, member.orgId)).agents_ask) {
    await requireConfirmed(tx, member, id, confirmationId)
  }
  const { sealed_value, version } = await tx
    .selectFrom('market.secrets')
    .select(['sealed_value', 'version'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => notFound('secret'))
  const data = { version, confirmation_id: confirmationId ?? null }
  await recordChange(tx, member.orgId, member, { type: secretEvents['secret.revealed'], entity: secret, spaceId, data })
  await notify(tx, {
    ...{ kind: secretNotices['secret.revealed'], orgId: member.orgId, by: member, spaceId },
    recipients: [accountIdOf(secret.created_by)],
    entity: { type: 'secret', id, short_id },
  })
  return { ...toSecret({ ...secret, version }), value: openValue(settings, secret, sealed_value) }
}

async function requireConfirmed(
  tx: Tx,
  member: Member,
  secretId: string,
  confirmationId: string | undefined,
): Promise<void> {
  if (confirmationId !== undefined && (await spendConfirmation(tx, member, { id: confirmationId, secretId }))) return
  throw new Problem(confirmationProblems.confirmationRequired, {
    detail:
      'Ask your human first: POST …/confirmations with this “secret”. Once they have confirmed it, name the question as “confirmation” here. Each confirmation is valid once.',
    field: 'confirmation',
  })
}

/**
 * Uses up a question about a secret that the agent's human has confirmed. Returns false for any other
 * question, and for one that was used or has expired.
 */
async function spendConfirmation(
  tx: Tx,
  { orgId, accountId }: Member,
  { id, secretId }: { id: string; secretId: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('market.confirmations')
    .set({ used_at: sql<Date>`market.now()` })
    .where('id', '=', id)
    .where('org_id', '=', orgId)
    .where('agent_id', '=', accountId)
    .where('secret_id', '=', secretId)
    .where('answer', '=', 'confirmed')
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<Date>`market.now()`)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
