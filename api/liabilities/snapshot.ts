import { sql } from 'kysely'
import type { ChainSettings } from '../context.ts'
import type { Tx } from '../db/pool.ts'
import { assetKey } from '../ledger/asset.ts'
import { readClaims } from './claims.ts'
import type { TreeThread } from './thread.ts'

/** The wallets that hold what is in custody: the hot wallet, and whatever else the books have tokens in. Lowercase. */
export async function custodyWallets(tx: Tx, chain: ChainSettings): Promise<string[]> {
  const { rows } = await sql<{ owner: string }>`
    select owner from ledger.accounts
    where asset = ${assetKey(chain)} and is_append_only and kind like '%\\_wallet' order by owner`.execute(tx)
  return [...new Set([chain.hotWallet.toLowerCase(), ...rows.map(({ owner }) => owner)])]
}

/** Hands everything that is owed in the transaction's snapshot to a thread that makes a tree of it. */
export async function addClaims(tx: Tx, chain: ChainSettings, thread: TreeThread): Promise<void> {
  for await (const claims of readClaims(tx, chain)) thread.add(claims)
}
