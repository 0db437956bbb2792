import type { SigningPurpose } from '../../protocol/keys/signing.ts'
import { sealAddressesAnew } from '../identity/orgs/emailInvitations.ts'
import { audit } from '../platform/audit/audit.ts'
import { readClock } from '../platform/db/clock.ts'
import type { Tx } from '../platform/db/pool.ts'
import { newKey, OVERLAP_MS, sealedMembers, seedOf } from '../platform/signing/keys.ts'
import { openSeed, type SealingKeys, sealSeed } from '../platform/signing/seal.ts'
import { sealedWith } from '../platform/webhooks/secret.ts'
import { sealValuesAnew } from '../workspace/secrets/values.ts'

/** A key that replaced another. */
export interface Rotation {
  purpose: SigningPurpose
  kid: string
  formerKid: string | undefined
}

/**
 * The keys that seal seeds. With `retiresForeign`, a key in use that none of them sealed is replaced as well.
 */
export type RotationKeys = SealingKeys & { retiresForeign?: boolean }

/**
 * Gives each purpose a new key and retires the one in use. The retired key stays published for as long as the
 * database exists, and its seed is erased. With another SIGNING_KEY beside the one in use, seals again every
 * key, every secret of a webhook or an org, and the addresses of invitations, under the one in use. Throws an
 * Error and changes nothing if none of them sealed a key in use.
 */
export async function rotateKeys(tx: Tx, keys: RotationKeys, purposes: readonly SigningPurpose[]): Promise<Rotation[]> {
  if (keys.otherSigningKeys?.length) await sealAnew(tx, keys)
  const rotations: Rotation[] = []
  for (const purpose of purposes) {
    const formerKid = await retire(tx, keys, purpose)
    const key = await newKey(tx, keys.signingKey, purpose)
    await tx.insertInto('market.signing_keys').values(key).execute()
    const details = { purpose, kid: key.kid, former_kid: formerKid ?? null }
    await audit(tx, { actor: 'service', action: 'signing_key.rotate', subject: `signing_key:${key.kid}`, details })
    rotations.push({ purpose, kid: key.kid, formerKid })
  }
  return rotations
}

async function retire(tx: Tx, keys: RotationKeys, purpose: SigningPurpose): Promise<string | undefined> {
  const current = await tx
    .selectFrom('market.signing_keys')
    .selectAll()
    .where('purpose', '=', purpose)
    .where('valid_until', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!current) return undefined
  const { sealed: _, ...members } = current
  if (!keys.retiresForeign && seedOf(keys, current) === undefined) {
    throw new Error(`the signing key ${current.kid} for ${purpose} was not sealed with this SIGNING_KEY`)
  }
  const retired = { ...members, valid_until: new Date((await readClock(tx)).getTime() + OVERLAP_MS) }
  await tx
    .updateTable('market.signing_keys')
    .set({ valid_until: retired.valid_until, sealed: sealSeed(keys.signingKey, '', sealedMembers(retired)) })
    .where('kid', '=', current.kid)
    .execute()
  return current.kid
}

async function sealAnew(tx: Tx, keys: SealingKeys): Promise<void> {
  const rows = await tx.selectFrom('market.signing_keys').selectAll().forUpdate().execute()
  for (const row of rows) {
    const seed = seedOf(keys, row)
    if (seed === undefined) continue
    const { sealed: _, ...members } = row
    await tx
      .updateTable('market.signing_keys')
      .set({ sealed: sealSeed(keys.signingKey, seed, sealedMembers(members)) })
      .where('kid', '=', members.kid)
      .execute()
  }
  await sealWebhooksAnew(tx, keys)
  await sealAddressesAnew(tx, keys)
  await sealValuesAnew(tx, keys)
}

async function sealWebhooksAnew(tx: Tx, keys: SealingKeys): Promise<void> {
  const rows = await tx
    .selectFrom('market.webhook_subscriptions')
    .select(['id', 'sealed_secret', 'former_secret'])
    .forNoKeyUpdate()
    .execute()
  for (const { id, sealed_secret, former_secret } of rows) {
    const anew = (sealed: Buffer) => {
      const key = openSeed(keys, sealed, sealedWith(id))
      return key === undefined ? sealed : sealSeed(keys.signingKey, key, sealedWith(id))
    }
    const changed = { sealed_secret: anew(sealed_secret), former_secret: former_secret && anew(former_secret) }
    await tx.updateTable('market.webhook_subscriptions').set(changed).where('id', '=', id).execute()
  }
}
