import { sql } from 'kysely'
import type { PayoutLeg } from '../../../protocol/payments/nonces.ts'
import {
  endPayoutWallet,
  findReplacedDoubtfulWallets,
  type ReplacedWallet,
} from '../../identity/wallets/payoutWallet.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { forEach } from '../../platform/jobs/each.ts'
import type { JobServices } from '../../platform/jobs/services.ts'
import { arePayoutsStopped } from '../stops/stops.ts'
import { failPayout } from './fail.ts'
import { roomForPayouts } from './internal/dailyLimit.ts'
import { submitPayout } from './internal/submit.ts'
import { unblockDuePayouts } from './internal/unblockDue.ts'
import { unblockPayouts } from './unblock.ts'

const AT_ONCE = 100

/**
 * Submits pending payouts, unless payouts are stopped. Sellers are paid in the order of the release
 * decisions: if the next payout exceeds the rest of the daily limit, later ones wait too, or a large one
 * would wait for ever. One that cannot be submitted is passed over.
 */
export async function submitPayouts(services: JobServices): Promise<void> {
  await resolveDoubtfulWallets(services)
  await unblockDuePayouts(services)
  const passedOver: string[] = []
  while (!(await arePayoutsStopped(services.db)) && (await submitSome(services, passedOver)));
}

/**
 * Returns true when there may be more to submit. Adds payouts that could not be submitted to those passed
 * over.
 */
async function submitSome(services: JobServices, passedOver: string[]): Promise<boolean> {
  const { db, settings } = services
  const refunds = await readPending(services, 'payer', passedOver)
  const due = await readPending(services, 'payee', passedOver)
  let roomMicros = due.length > 0 ? await roomForPayouts(db, settings) : 0n
  const firstBeyond = due.findIndex(({ amount_micros }) => {
    roomMicros -= amount_micros
    return roomMicros < 0n
  })
  const within = firstBeyond === -1 ? due : due.slice(0, firstBeyond)
  const tried = [...refunds, ...within]
  const submitted = new Set<string>()
  await forEach(services, 'payout', tried, async ({ id }) => {
    if (await inTransaction(db, 'read write', (tx) => submitPayout(tx, settings, id))) submitted.add(id)
  })
  passedOver.push(...tried.flatMap(({ id }) => (submitted.has(id) ? [] : [id])))
  return tried.length > 0
}

function readPending({ db, settings }: JobServices, leg: PayoutLeg, passedOver: readonly string[]) {
  return (
    db
      .selectFrom('market.payouts')
      .select(['id', 'amount_micros'])
      .where('state', '=', 'pending')
      .where('leg', '=', leg)
      .where(sql<boolean>`id <> all (${passedOver}::uuid[])`)
      // More than that no day has room for.
      .where('amount_micros', '<=', settings.rules.dailyPayoutMicros)
      // Payouts whose deposit was removed from the chain wait for it, without blocking the others.
      .where(
        sql<boolean>`not exists (select from market.processed_chain_events
          where key = 'payment:' || deposit_from || ':' || deposit_nonce and vanished_at is not null)`,
      )
      .orderBy('id')
      .limit(AT_ONCE)
      .execute()
  )
}

/**
 * After a restore, while payout wallets are in doubt: fails the payouts to them whose intents `./market
 * restored` voided, and unblocks those whose owner has since chosen another wallet, once that wallet is in
 * use.
 */
async function resolveDoubtfulWallets(services: JobServices): Promise<void> {
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
