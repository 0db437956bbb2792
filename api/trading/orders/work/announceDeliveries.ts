import { sql } from 'kysely'
import { announceRelease } from '../../../payments/escrow/announceRelease.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import { forEach } from '../../../platform/jobs/each.ts'
import type { JobServices } from '../../../platform/jobs/services.ts'
import { lockOrderRow } from '../record/find.ts'

const AT_ONCE = 100

/**
 * Announces to the facilitator what each delivered order will pay if its buyer does not object, for each
 * wallet that it may pay: the payee of the contract's hold, or in custody the seller's payout wallet and one
 * that will replace it.
 */
export async function announceDeliveries(services: JobServices): Promise<void> {
  const { db } = services
  let failed: { id: string }[] = []
  for (;;) {
    const found = await findUnannounced(services)
    const due = found.filter(({ id }) => !failed.some((one) => one.id === id))
    failed = [
      ...failed,
      ...(await forEach(services, 'announcement', due, ({ id, wallet }) =>
        inTransaction(db, 'read write', async (tx) => {
          const order = await lockOrderRow(tx, id)
          if (order?.state === 'delivered') await announceRelease(tx, order, wallet)
        }),
      )),
    ]
    if (due.length < AT_ONCE) return
  }
}

async function findUnannounced({ db }: JobServices): Promise<{ id: string; wallet: string }[]> {
  const { rows } = await sql<{ id: string; wallet: string }>`
    select delivered.id, paid.wallet from market.orders delivered
    cross join lateral (
      select delivered.payee as wallet where delivered.escrow_mode = 'contract'
      union
      (select wallet.address from market.agents agent
       join market.wallets wallet on wallet.account_id in (agent.id, agent.owner_id) and wallet.payout_from <= market.now()
       where agent.id = delivered.seller_id and delivered.escrow_mode = 'custodied' and wallet.doubtful_since is null
       order by wallet.account_id = agent.id desc, wallet.payout_from desc limit 1)
      union
      select wallet.address from market.agents agent
      join market.wallets wallet on wallet.account_id in (agent.id, agent.owner_id) and wallet.payout_from > market.now()
      where agent.id = delivered.seller_id and delivered.escrow_mode = 'custodied'
    ) paid
    where delivered.state = 'delivered' and delivered.suspended_at is null
      and not exists (select from market.intents where key = 'sight:' || delivered.id || ':' || paid.wallet)
    order by delivered.accept_by limit ${AT_ONCE}`.execute(db)
  return rows
}
