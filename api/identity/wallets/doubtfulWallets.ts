import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/pool.ts'

/**
 * A payout wallet that is in doubt since a restore (`./market restored`) and was replaced by another wallet of its
 * account.
 */
export interface ReplacedWallet {
  id: string
  accountId: string
  ownerId: string
}

/**
 * Lists the payout wallets in doubt whose account has chosen another wallet since, once that choice has taken effect.
 */
export async function findReplacedDoubtfulWallets(db: Db): Promise<ReplacedWallet[]> {
  const { rows } = await sql<ReplacedWallet>`
    select wallet.id, wallet.account_id as "accountId", wallet.owner_id as "ownerId" from market.wallets wallet
    where wallet.doubtful_since is not null and wallet.payout_from is not null and exists (
      select from market.wallets other where other.account_id = wallet.account_id and other.doubtful_since is null
        and other.payout_from > wallet.payout_from and other.payout_from <= market.now())`.execute(db)
  return rows
}

/** Stops payouts to a wallet. */
export async function endPayoutWallet(tx: Tx, walletId: string): Promise<void> {
  await tx.updateTable('market.wallets').set({ payout_from: null }).where('id', '=', walletId).execute()
}
