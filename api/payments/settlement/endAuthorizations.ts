import { sql } from 'kysely'
import { untilMs } from '../../platform/db/clock.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { forEach } from '../../platform/jobs/each.ts'
import type { JobServices } from '../../platform/jobs/services.ts'
import { confirmedTime, isProvedUnpaid } from '../chain/payments.ts'
import { expireAuthorization, settleAuthorization } from '../escrow/authorizations.ts'
import { hasArrived } from '../escrow/payerAttribution.ts'
import { lockOrderRow, needlessAuthorizations } from '../escrow/queries.ts'

const AT_ONCE = 50

/**
 * Ends the authorizations of cancelled orders and of fees that are no longer awaited, once they have expired
 * by the chain's time at confirmed depth. One that has paid is settled, since its money went back; any other
 * expired unused.
 */
export async function endAuthorizations(services: JobServices): Promise<void> {
  const confirmed = await confirmedTime(services)
  if (!confirmed) return
  let after = ''
  for (;;) {
    const due = await needlessAuthorizations(services.db)
      .select(['filed.id', 'filed.payer', 'filed.nonce', 'filed.created_at'])
      .select(sql<string>`coalesce(filed.order_id, fee.order_id)`.as('order_id'))
      .where('filed.valid_before', '<=', confirmed.time)
      .$if(after !== '', (query) => query.where('filed.id', '>', after))
      .orderBy('filed.id')
      .limit(AT_ONCE)
      .execute()
    await forEach(services, 'authorization', due, async (filed) => {
      const unpaid = { nonce: filed.nonce, filed: [filed], since: filed.created_at }
      if (!(await isProvedUnpaid(services, unpaid, confirmed.block))) return
      await inTransaction(services.db, 'read write', (tx) => end(tx, filed))
    })
    const last = due.at(-1)
    if (!last || due.length < AT_ONCE) return
    after = last.id
  }
}

/**
 * Returns the milliseconds until the next of them expires. The chain's time at confirmed depth reaches that
 * time a little later.
 */
export async function nextEndInMs({ db }: JobServices): Promise<number | undefined> {
  const next = needlessAuthorizations(db)
    .select(untilMs('filed.valid_before').as('ms'))
    .orderBy('filed.valid_before')
    .limit(1)
  return (await next.executeTakeFirst())?.ms
}

async function end(tx: Tx, filed: { id: string; payer: string; nonce: string; order_id: string }): Promise<void> {
  await lockOrderRow(tx, filed.order_id)
  if (await hasArrived(tx, filed)) await settleAuthorization(tx, filed.id)
  else await expireAuthorization(tx, 'id', filed.id)
}
