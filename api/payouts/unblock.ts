import { sql } from 'kysely'
import type { Tx } from '../db/pool.ts'
import { movePayout } from './transition.ts'

/**
 * Lets the payouts go that waited for an account's wallet. A human's wallet serves those of its agents that have none.
 * Called in the transaction that verifies the wallet, after it is on file.
 */
export async function unblockPayouts(tx: Tx, accountId: string, ownerId: string): Promise<void> {
  await lockPayee(tx, ownerId)
  const waiting = await tx
    .selectFrom('market.payouts')
    .select('id')
    .where('human_id', '=', ownerId)
    .where('state', '=', 'blocked')
    .where((row) => (accountId === ownerId ? sql<boolean>`true` : row('agent_id', '=', accountId)))
    .execute()
  for (const { id } of waiting) await movePayout(tx, id, 'unblock')
}

/**
 * Holds a human's payouts and wallets against each other until the transaction ends: a payout that opens while a wallet
 * is verified sees the wallet, or is seen by whoever verifies it.
 */
export async function lockPayee(tx: Tx, humanId: string): Promise<void> {
  await tx.selectFrom('market.humans').select('id').where('id', '=', humanId).forNoKeyUpdate().execute()
}
