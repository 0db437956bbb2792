import { sql } from 'kysely'
import { type SignedLiabilities, signedLiabilities } from '../../../../protocol/liabilities/liabilities.ts'
import type { Db } from '../../../platform/db/pool.ts'

interface LiabilitiesRow {
  document: unknown
  key_id: string
  signature: string
}

/**
 * Returns the newest signed liabilities, or those at a block. `withTree`: only if the tree is still stored.
 * Undefined if there are none.
 */
export async function findLiabilities(
  db: Db,
  { block, withTree = false }: { block?: bigint | undefined; withTree?: boolean },
): Promise<SignedLiabilities | undefined> {
  const { rows } = await sql<LiabilitiesRow>`
    select document, key_id, signature from market.liabilities
    where ${block === undefined ? sql`true` : sql`block_number = ${block}`} and ${withTree ? sql`has_tree` : sql`true`}
    order by block_number desc limit 1`.execute(db)
  return rows[0] && signedLiabilities.parse(rows[0])
}
