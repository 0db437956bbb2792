import type { Tx } from '../../platform/db/pool.ts'

/**
 * Locks a human's payout wallets and the payouts to them until the transaction ends. Of two wallets verified at once,
 * only one becomes the first; and a payout that opens while a wallet is verified either sees the wallet or is unblocked
 * by it.
 */
export async function lockPayoutWallets(tx: Tx, humanId: string): Promise<void> {
  await tx.selectFrom('market.humans').select('id').where('id', '=', humanId).forNoKeyUpdate().execute()
}
