import type { SigningPurpose } from '../../protocol/keys/signing.ts'
import type { Db } from '../platform/db/pool.ts'
import { openOwnerPool } from '../platform/db/searchPath.ts'
import { inTransaction } from '../platform/db/transaction.ts'
import { ensureSigningKeys, publishedKeys } from '../platform/signing/keys.ts'
import type { SealingKeys } from '../platform/signing/seal.ts'
import { type Rotation, type RotationKeys, rotateKeys } from './rotate.ts'

/** Rotates the keys of these purposes in a database. Throws what `rotateKeys` throws. */
export function rotateSigningKeys(
  databaseUrl: string,
  keys: RotationKeys,
  purposes: readonly SigningPurpose[],
): Promise<Rotation[]> {
  return withDatabase(databaseUrl, (db) => inTransaction(db, 'read write', (tx) => rotateKeys(tx, keys, purposes)))
}

/**
 * Returns the published keys of a database, retired ones too. Makes the first key of each purpose that has
 * none.
 */
export function listSigningKeys(databaseUrl: string, keys: SealingKeys): ReturnType<typeof publishedKeys> {
  return withDatabase(databaseUrl, async (db) => {
    await ensureSigningKeys(db, keys)
    return publishedKeys(db, keys)
  })
}

async function withDatabase<Answer>(databaseUrl: string, use: (db: Db) => Promise<Answer>): Promise<Answer> {
  const db = await openOwnerPool(databaseUrl, 'market-keys')
  try {
    return await use(db)
  } finally {
    await db.destroy()
  }
}
