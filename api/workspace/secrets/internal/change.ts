import { sql } from 'kysely'
import { newId } from '../../../../protocol/encoding/ids.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { Settings } from '../../../context.ts'
import { Problem } from '../../../errors.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import type { Member } from '../../membership.ts'
import { newShortId } from '../../schemas.ts'
import { openSpace } from '../../spaces/find.ts'
import { findSecret, lockSecret, type SecretRow } from '../find.ts'
import { secretProblems } from '../problems.ts'
import { sealValue } from '../values.ts'

type Sealing = Pick<Settings, 'signingKey'>

/** A new secret: in a space, given by short id or UUID, or for the whole org. */
export interface NewSecret {
  space?: string | undefined
  name: string
  value: string
}

/**
 * Stores a value under a name. Throws the uniform 404, and 409 if the name is taken there or the space is
 * archived.
 */
export async function createSecret(tx: Tx, settings: Sealing, member: Member, input: NewSecret): Promise<SecretRow> {
  const { orgId, urn } = member
  const space = input.space === undefined ? null : await openSpace(tx, member, input.space)
  const place = { id: newId(), org_id: orgId, space_id: space?.id ?? null }
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('market.secrets')
    .values({
      ...{ ...place, short_id: newShortId(), name: input.name, created_by: urn, updated_by: urn },
      sealed_value: sealValue(settings.signingKey, place, input.value),
    })
    .onConflict((conflict) => conflict.columns(['org_id', 'space_id', 'name']).doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows === 0n) {
    throw new Problem(secretProblems.secretExists, {
      detail: 'A secret of this name exists. Choose another name, or replace its value.',
      field: 'name',
    })
  }
  await tell(tx, member, 'secret.create', place.id)
  return findSecret(tx, member, place.id)
}

/** Replaces the value of a secret; the former value is gone. Throws 404, 403 and 409 as `lockSecret`. */
export async function replaceValue(
  tx: Tx,
  settings: Sealing,
  member: Member,
  ref: string,
  value: string,
): Promise<SecretRow> {
  const secret = await lockSecret(tx, member, ref)
  await tx
    .updateTable('market.secrets')
    .set({
      ...{ sealed_value: sealValue(settings.signingKey, secret, value), version: sql<number>`version + 1` },
      ...{ updated_by: member.urn, updated_at: sql<Date>`market.now()` },
    })
    .where('id', '=', secret.id)
    .execute()
  await tell(tx, member, 'secret.replace', secret.id)
  return findSecret(tx, member, secret.id)
}

/** Deletes a secret with its value. Throws 404, 403 and 409 as `lockSecret`. */
export async function deleteSecret(tx: Tx, member: Member, ref: string): Promise<void> {
  const { id } = await lockSecret(tx, member, ref)
  await tx.deleteFrom('market.secrets').where('id', '=', id).execute()
  await tell(tx, member, 'secret.delete', id)
}

async function tell(tx: Tx, { orgId, urn: actor }: Member, action: string, secretId: string): Promise<void> {
  await audit(tx, { actor, action, subject: urnString('org', orgId), details: { secret_id: secretId } })
}
