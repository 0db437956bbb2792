import { sql } from 'kysely'
import type { Tx } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { failPayout } from '../payouts/fail.ts'
import { unblockPayouts } from '../payouts/unblock.ts'
import { forEach } from './each.ts'
import type { JobServices } from './services.ts'

/**
 * After a restore, while owners have payout wallets in doubt: takes back the payouts to them that were asked for and called
 * off (`./market restored`), and lets those go whose owner has chosen another wallet since, once its time has come.
 */
export async function heedDoubts(services: JobServices): Promise<void> {
  const { db, settings } = services
  const { rows: calledOff } = await sql<{ id: string }>`
    select distinct payout.id from market.wallets wallet
    join market.payouts payout on payout.human_id = wallet.owner_id and payout.state = 'submitted'
    where wallet.doubtful_since is not null and exists (select from market.intents asked
      where asked.key = 'payout:' || payout.id || '#' || payout.attempt and asked.closing = 'voided')`.execute(db)
  await forEach(services, 'called-off payout', calledOff, ({ id }) =>
    inTransaction(db, 'read write', (tx) => failPayout(tx, settings, id, 'called off when the database was restored')),
  )
  const { rows: replaced } = await sql<Replaced>`
    select wallet.id, wallet.account_id, wallet.owner_id from market.wallets wallet
    where wallet.doubtful_since is not null and wallet.payout_from is not null and exists (
      select from market.wallets other where other.account_id = wallet.account_id and other.doubtful_since is null
        and other.payout_from > wallet.payout_from and other.payout_from <= market.now())`.execute(db)
  await forEach(services, 'wallet in doubt', replaced, (wallet) =>
    inTransaction(db, 'read write', (tx) => forgetReplaced(tx, wallet)),
  )
}

interface Replaced {
  id: string
  account_id: string
  owner_id: string
}

async function forgetReplaced(tx: Tx, { id, account_id: accountId, owner_id: ownerId }: Replaced): Promise<void> {
  await tx.updateTable('market.wallets').set({ payout_from: null }).where('id', '=', id).execute()
  await unblockPayouts(tx, accountId, ownerId)
}
