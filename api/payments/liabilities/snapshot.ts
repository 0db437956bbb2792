import { sql } from 'kysely'
import type { ChainSettings } from '../../context.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { assetKey } from '../ledger/asset.ts'
import { readClaims } from './claims.ts'
import type { TreeThread } from './thread.ts'

/**
 * Returns the wallets that hold custody money, in lowercase: the hot wallet, and any other wallet to which the ledger
 * books tokens.
 */
export async function custodyWallets(tx: Tx, chain: ChainSettings): Promise<string[]> {
  const { rows } = await sql<{ wallet: string }>`
    select owner_id as wallet from ledger.accounts
    where asset = ${assetKey(chain)} and balance is null and kind in ('hot_wallet', 'cold_wallet') order by 1`.execute(
    tx,
  )
  return [...new Set([chain.hotWallet.toLowerCase(), ...rows.map(({ wallet }) => wallet)])]
}

/** Sends all liabilities in the transaction's snapshot to the thread that builds the tree. */
export async function addClaims(tx: Tx, chain: ChainSettings, thread: TreeThread): Promise<void> {
  for await (const claims of readClaims(tx, chain)) thread.add(claims)
}
