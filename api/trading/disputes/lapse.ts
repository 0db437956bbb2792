import { confirmedTime, isProvedUnpaid } from '../../payments/chain/unpaid.ts'
import { untilMs } from '../../platform/db/clock.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { forEach } from '../../platform/jobs/each.ts'
import type { JobServices } from '../../platform/jobs/services.ts'
import { lapseAppeal } from './appeals.ts'

const AT_ONCE = 100

/**
 * Lets the appeals lapse whose fee was not paid and no longer can be: the chain's time at confirmed depth is past their offer,
 * and the node knows of no unprocessed payment.
 */
export async function lapseUnpaidAppeals(services: JobServices): Promise<void> {
  const confirmed = await confirmedTime(services)
  if (!confirmed) return
  const { db } = services
  let after = ''
  for (;;) {
    const due = await offeredFees(services)
      .select(['fee.id', 'fee.dispute_id', 'fee.nonce', 'fee.offered_at'])
      .where('fee.valid_before', '<=', confirmed.time)
      .$if(after !== '', (query) => query.where('fee.id', '>', after))
      .orderBy('fee.id')
      .limit(AT_ONCE)
      .execute()
    await forEach(services, 'appeal', due, async (fee) => {
      const filed = db
        .selectFrom('market.authorizations')
        .select(['payer', 'nonce'])
        .where('appeal_fee_id', '=', fee.id)
      const unpaid = { nonce: fee.nonce, filed: await filed.execute(), since: fee.offered_at }
      if (!(await isProvedUnpaid(services, unpaid, confirmed.block))) return
      await inTransaction(db, 'read write', (tx) => lapseAppeal(tx, fee))
    })
    const last = due.at(-1)
    if (!last || due.length < AT_ONCE) return
    after = last.id
  }
}

/** Returns the milliseconds until the next offer of a fee ends. The chain's time at confirmed depth gets there a little later. */
export async function nextAppealInMs(services: JobServices): Promise<number | undefined> {
  const next = offeredFees(services).select(untilMs('fee.valid_before').as('ms')).orderBy('fee.valid_before').limit(1)
  return (await next.executeTakeFirst())?.ms
}

function offeredFees({ db }: JobServices) {
  return db.selectFrom('market.appeal_fees as fee').where('fee.state', '=', 'offered')
}
