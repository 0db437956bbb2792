import { randomBytes } from 'node:crypto'
import type { Selectable } from 'kysely'
import {
  type DocumentSignature,
  type PublicKeyJwk,
  publicKeyJwk,
  SIGNING_PURPOSES,
  type SigningPurpose,
  signDocument,
} from '../../../protocol/keys/signing.ts'
import { readClock } from '../db/clock.ts'
import type { Database } from '../db/generated/tables.ts'
import type { Db } from '../db/pool.ts'
import { openSeed, type SealingKeys, sealSeed } from './seal.ts'

// A signed document contains the start time of its transaction, and a transaction that read the former key
// may still be signing.
export const OVERLAP_MS = 600_000
const SEED_BYTES = 32

type KeyRow = Selectable<Database['market.signing_keys']>

/** The public members of a key's row. */
export type KeyMembers = Omit<KeyRow, 'sealed'>

/**
 * Signs a document with the current key for a purpose, drawing one if there is none. Throws as `currentSeed`.
 */
export async function signAs(
  db: Db,
  settings: SealingKeys,
  purpose: SigningPurpose,
  document: object,
): Promise<DocumentSignature> {
  return signDocument(document, (await currentSeed(db, settings, purpose)).seed)
}

/**
 * Draws a key for each purpose that has none. Several processes may do so at once. Throws as `currentSeed`.
 */
export async function ensureSigningKeys(db: Db, settings: SealingKeys): Promise<void> {
  for (const purpose of SIGNING_PURPOSES) await currentSeed(db, settings, purpose)
}

/**
 * Every key that has ever been used, in its published form: oldest first. A row that SIGNING_KEY did not seal
 * is not a key of ours and is left out.
 */
export async function publishedKeys(db: Db, keys: SealingKeys): Promise<PublicKeyJwk[]> {
  return (await readRows(db)).filter((row) => seedOf(keys, row) !== undefined).map(toJwk)
}

/** Returns how many rows are not keys of ours: SIGNING_KEY did not seal them. */
export async function countForeignKeys(db: Db, keys: SealingKeys): Promise<number> {
  return (await readRows(db)).filter((row) => seedOf(keys, row) === undefined).length
}

function readRows(db: Db): Promise<KeyRow[]> {
  return db.selectFrom('market.signing_keys').selectAll().orderBy('valid_from').orderBy('kid').execute()
}

/**
 * Returns the seed of a row, empty if it is retired; undefined for a row that SIGNING_KEY did not seal,
 * whatever it has.
 */
export function seedOf(keys: SealingKeys, row: KeyRow): string | undefined {
  // Postgres knows times that are no Date: infinity, and those too far away.
  const times = [row.valid_from, row.valid_until].filter((time) => time !== null)
  if (times.some((time) => !(time instanceof Date) || Number.isNaN(time.getTime()))) return undefined
  return openSeed(keys, row.sealed, membersOf(row))
}

/**
 * The current key for a purpose, with its seed. Throws an Error if it was sealed with another SIGNING_KEY, or
 * changed in the database since.
 */
export async function currentSeed(
  db: Db,
  keys: SealingKeys,
  purpose: SigningPurpose,
): Promise<{ kid: string; seed: string }> {
  const row = (await findCurrent(db, purpose)) ?? (await drawKey(db, keys.signingKey, purpose))
  const seed = seedOf(keys, row)
  if (seed) return { kid: row.kid, seed }
  throw new Error(
    `the signing key ${row.kid} for ${purpose} was not sealed with this SIGNING_KEY, or was changed since`,
  )
}

/** The row of a new key that is valid from now on. */
export async function newKey(db: Db, signingKey: string, purpose: SigningPurpose): Promise<KeyRow> {
  const seed = randomBytes(SEED_BYTES).toString('hex')
  const { kid, x } = await publicKeyJwk(seed)
  const valid_from = new Date((await readClock(db)).getTime() - OVERLAP_MS)
  const members = { kid, purpose, x, valid_from, valid_until: null }
  return { ...members, sealed: sealSeed(signingKey, seed, sealedMembers(members)) }
}

/** The value that a seed is bound to. */
export function sealedMembers({ kid, purpose, x, valid_from, valid_until }: KeyMembers) {
  return { kid, purpose, x, valid_from: valid_from.toISOString(), valid_until: valid_until?.toISOString() ?? null }
}

async function drawKey(db: Db, signingKey: string, purpose: SigningPurpose): Promise<KeyRow> {
  const key = await newKey(db, signingKey, purpose)
  await db
    .insertInto('market.signing_keys')
    .values(key)
    .onConflict((conflict) => conflict.column('purpose').where('valid_until', 'is', null).doNothing())
    .execute()
  const current = await findCurrent(db, purpose)
  if (!current) throw new Error(`there is no signing key for ${purpose}`)
  return current
}

function findCurrent(db: Db, purpose: SigningPurpose): Promise<KeyRow | undefined> {
  const keys = db.selectFrom('market.signing_keys').selectAll()
  return keys.where('purpose', '=', purpose).where('valid_until', 'is', null).executeTakeFirst()
}

function membersOf({ sealed: _, ...members }: KeyRow) {
  return sealedMembers(members)
}

function toJwk({ kid, purpose, x, valid_from, valid_until }: KeyRow): PublicKeyJwk {
  return {
    ...({ kty: 'OKP', crv: 'Ed25519', alg: 'Ed25519', use: 'sig' } as const),
    ...{ kid, x, purpose, valid_from: valid_from.toISOString() },
    ...(valid_until ? { valid_until: valid_until.toISOString() } : {}),
  }
}
