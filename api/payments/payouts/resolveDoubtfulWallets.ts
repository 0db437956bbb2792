import { sql } from 'kysely'
import {
  endPayoutWallet,
  findReplacedDoubtfulWallets,
  type ReplacedWallet,
} from '../../identity/wallets/payoutWallet.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { forEach } from '../../platform/jobs/each.ts'
import type { JobServices } from '../../platform/jobs/services.ts'
import { failPayout } from './fail.ts'
import { unblockPayouts } from './unblock.ts'

/**
 * After a restore, while payout wallets are in doubt: fails the payouts to them whose intents `./market
 * restored` voided, and unblocks those whose owner has since chosen another wallet, once that wallet is in
 * use.
 */
export async function resolveDoubtfulWallets(services: JobServices): Promise<void> {
  const { db, settings } = services
  const { rows: calledOff } = await sql<{ id: string }>`
    select distinct payout.id from market.wallets wallet
    join market.payouts payout on payout.human_id = wallet.owner_id and payout.state = 'submitted'
    where wallet.doubtful_since is not null and exists (select from market.intents asked
      where asked.key = 'payout:' || payout.id and asked.attempt = payout.attempt and asked.closing = 'voided')`.execute(
    db,
  )
  await forEach(services, 'called-off payout', calledOff, ({ id }) =>
    inTransaction(db, 'read write', (tx) => failPayout(tx, settings, id, 'called off when the database was restored')),
  )
  await forEach(services, 'wallet in doubt', await findReplacedDoubtfulWallets(db), (wallet) =>
    inTransaction(db, 'read write', (tx) => releaseReplaced(tx, wallet)),
  )
}

async function releaseReplaced(tx: Tx, { id, accountId, ownerId }: ReplacedWallet): Promise<void> {
  await endPayoutWallet(tx, id)
  await unblockPayouts(tx, accountId, ownerId)
}
