import { sql } from 'kysely'
import type { ChainSettings } from '../context.ts'
import type { Tx } from '../db/pool.ts'
import { assetKey } from '../ledger/asset.ts'
import { readClaims } from './claims.ts'
import { type ClaimTree, TreeBuilder } from './tree.ts'

/** The wallets that hold what is in custody: the hot wallet, and whatever else the books have tokens in. Lowercase. */
export async function custodyWallets(tx: Tx, chain: ChainSettings): Promise<string[]> {
  const { rows } = await sql<{ owner: string }>`
    select owner from ledger.accounts
    where asset = ${assetKey(chain)} and is_append_only and kind like '%\\_wallet' order by owner`.execute(tx)
  return [...new Set([chain.hotWallet.toLowerCase(), ...rows.map(({ owner }) => owner)])]
}

/** The tree over everything that is owed in the transaction's snapshot. */
export async function treeOfClaims(tx: Tx, chain: ChainSettings): Promise<ClaimTree> {
  const builder = new TreeBuilder()
  for await (const claims of readClaims(tx, chain)) builder.add(claims)
  return builder.build()
}
