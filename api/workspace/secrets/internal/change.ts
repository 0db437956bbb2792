import { sql } from 'kysely'
import { newId } from '../../../../protocol/encoding/ids.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { Settings } from '../../../context.ts'
import { Problem } from '../../../errors.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { skeletonOf } from '../../../platform/http/route/lookAlikes.ts'
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
 * Stores a value under a name. Throws the uniform 404, and 409 if the name is taken there, if another name
 * there looks like it, or if the space is archived.
 */
export async function createSecret(tx: Tx, settings: Sealing, member: Member, input: NewSecret): Promise<SecretRow> {
  const { orgId, urn } = member
  const space = input.space === undefined ? null : await openSpace(tx, member, input.space)
  const place = { id: newId(), org_id: orgId, space_id: space?.id ?? null }
  await refuseLookAlike(tx, place, input.name)
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('market.secrets')
    .values({
      ...{ ...place, short_id: newShortId(), name: input.name, created_by: urn, updated_by: urn },
      sealed_value: sealValue(settings.signingKey, place, input.value),
    })
    .onConflict((conflict) => conflict.columns(['org_id', 'space_id', 'name']).doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows === 0n) throw secretExists('A secret of this name exists.')
  await tell(tx, member, 'secret.create', place.id)
  return findSecret(tx, member, place.id)
}

/** Two at once in a place wait for each other: the second sees the first. */
async function refuseLookAlike(
  tx: Tx,
  place: { org_id: string; space_id: string | null },
  name: string,
): Promise<void> {
  const { org_id, space_id } = place
  await sql`select pg_advisory_xact_lock(hashtextextended(${`secrets ${org_id} ${space_id}`}, 0))`.execute(tx)
  const names = await tx
    .selectFrom('market.secrets')
    .select('name')
    .where('org_id', '=', org_id)
    .where(sql<boolean>`space_id is not distinct from ${space_id}`)
    .execute()
  const skeleton = skeletonOf(name)
  const twin = names.find((other) => other.name !== name && skeletonOf(other.name) === skeleton)
  if (twin) throw secretExists(`The name of another secret looks like this one: ${twin.name}.`)
}

function secretExists(detail: string): Problem {
  return new Problem(secretProblems.secretExists, {
    detail: `${detail} Choose another name, or replace its value.`,
    field: 'name',
  })
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
