import { sql } from 'kysely'
import { lockPayoutWallets } from '../../identity/wallets/payoutWallet.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { transitionPayout } from './transition.ts'

/** A wallet to which a blocked payout can go now: its agent's, or its human's. */
export const HAS_WALLET = sql<boolean>`exists (select from market.wallets wallet
  where wallet.account_id in (payouts.agent_id, payouts.human_id) and wallet.payout_from <= market.now()
    and wallet.doubtful_since is null)`

/**
 * Unblocks the payouts that wait for a wallet of an account, if it is in use. A human's wallet also serves
 * the human's agents without one. Runs in the transaction that binds the wallet, after the wallet is written.
 */
export async function unblockPayouts(tx: Tx, accountId: string, ownerId: string): Promise<void> {
  await lockPayoutWallets(tx, ownerId)
  const waiting = await tx
    .selectFrom('market.payouts')
    .select('id')
    .where('human_id', '=', ownerId)
    .where('state', '=', 'blocked')
    .where((row) => (accountId === ownerId ? sql<boolean>`true` : row('agent_id', '=', accountId)))
    .where(HAS_WALLET)
    .execute()
  for (const { id } of waiting) await transitionPayout(tx, id, 'unblock')
}
