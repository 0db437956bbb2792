import type { Selectable } from 'kysely'
import { urnString } from '../../../protocol/encoding/urn.ts'
import type { Database } from '../../platform/db/generated/tables.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { openSeed, type SealingKeys, sealSeed } from '../../platform/signing/seal.ts'

/** The ids that the value of an org's secret is bound to. */
type Place = Pick<Selectable<Database['market.secrets']>, 'id' | 'org_id' | 'space_id'>

/** Encrypts the value of a secret of an org under SIGNING_KEY, bound to its org, space and id. */
export function sealValue(signingKey: string, place: Place, value: string): Buffer {
  return sealSeed(signingKey, Buffer.from(value).toString('hex'), boundTo(place))
}

/**
 * Decrypts the value of a secret. Throws an Error if it was sealed with another SIGNING_KEY, or for another
 * row.
 */
export function openValue(keys: SealingKeys, place: Place, sealed: Buffer): string {
  const value = openSeed(keys, sealed, boundTo(place))
  if (value === undefined) throw new Error(`the secret ${place.id} was not sealed with this SIGNING_KEY`)
  return Buffer.from(value, 'hex').toString()
}

/** Seals anew, for all orgs, the values that were sealed with another SIGNING_KEY. */
export async function sealValuesAnew(tx: Tx, keys: SealingKeys): Promise<void> {
  const ids = await tx.selectFrom('market.secrets').select('id').orderBy('id').forNoKeyUpdate().execute()
  for (const { id } of ids) {
    const row = await tx
      .selectFrom('market.secrets')
      .select(['id', 'org_id', 'space_id', 'sealed_value'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const value = openSeed(keys, row.sealed_value, boundTo(row))
    if (value === undefined) continue
    const sealed_value = sealSeed(keys.signingKey, value, boundTo(row))
    await tx.updateTable('market.secrets').set({ sealed_value }).where('id', '=', id).execute()
  }
}

function boundTo({ id, org_id, space_id }: Place) {
  return { org: urnString('org', org_id), space: space_id, secret: id }
}
