import { sql } from 'kysely'
import { confirmedTime, isProvedUnpaid } from '../../../payments/chain/payments.ts'
import { untilMs } from '../../../platform/db/clock.ts'
import type { Db } from '../../../platform/db/pool.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import { actOnDue } from '../../../platform/jobs/due.ts'
import { forEach } from '../../../platform/jobs/each.ts'
import type { JobServices } from '../../../platform/jobs/services.ts'
import { type Deadline, untilNext, untilNoneIsDue } from '../../orders/work/deadlines.ts'
import { lapseAppeal } from '../appeals/appeals.ts'
import { advanceDispute, arbitrate } from './internal/advance.ts'
import { openForBuyer } from './open.ts'

/** Ends the states of all disputes that are due. */
export async function advanceDisputes(services: JobServices): Promise<void> {
  const { settings } = services
  const find = (passedOver: readonly string[], limit: number) =>
    dueDisputes(services.db, passedOver, limit).where('dispute.due_at', '<=', sql<Date>`market.now()`).execute()
  await actOnDue(services, 'dispute deadline', find, (tx, id) => advanceDispute(tx, settings, id))
}

/** Has the arbitrator decide all disputes whose evidence is closed. */
export async function arbitrateDisputes(services: JobServices): Promise<void> {
  const { settings } = services
  const find = (passedOver: readonly string[], limit: number) =>
    dueDisputes(services.db, passedOver, limit)
      .where('dispute.state', '=', 'arbitrating')
      .where(isNotBeforeModel)
      .execute()
  await actOnDue(services, 'arbitration', find, (tx, id) => arbitrate(tx, settings, id))
}

/** Returns the milliseconds until the next state of a dispute ends by itself, or undefined. */
export async function nextDisputeInMs({ db }: JobServices): Promise<number | undefined> {
  const next = await dueDisputes(db, [], 1).select(untilMs('dispute.due_at').as('ms')).executeTakeFirst()
  return next?.ms
}

const isNotBeforeModel = sql<boolean>`not exists (select from market.arbitrations where dispute_id = dispute.id)`

function dueDisputes(db: Db, passedOver: readonly string[], limit: number) {
  return (
    db
      .selectFrom('market.disputes as dispute')
      .innerJoin('market.orders as order', 'order.id', 'dispute.order_id')
      .select('dispute.id')
      .where('dispute.due_at', 'is not', null)
      .where('order.suspended_at', 'is', null)
      // Its fee may still be paid: `lapseUnpaidAppeals` ends that.
      .where(
        sql<boolean>`not exists (select from market.appeal_fees where dispute_id = dispute.id and state = 'offered')`,
      )
      // The evidence closes once its deliveries are checked; the job that checks them wakes this one.
      .where(
        sql<boolean>`(dispute.state <> 'open' or not exists (
          select from market.delivery_checks wanted where wanted.order_id = dispute.order_id and wanted.results is null))`,
      )
      .$if(passedOver.length > 0, (query) => query.where('dispute.id', 'not in', passedOver))
      .orderBy('dispute.due_at')
      .limit(limit)
  )
}

const rejection: Deadline = {
  column: 'redeliver_by',
  orders: (db) => db.selectFrom('market.orders').where('state', '=', 'rejected'),
}

/** Opens the disputes of the rejected orders whose seller did not deliver again, for their buyers. */
export function openOverdueDisputes(services: JobServices): Promise<void> {
  const { settings } = services
  return untilNoneIsDue(services, 'rejection window', rejection, (tx, id) => openForBuyer(tx, settings, id))
}

/** Returns the milliseconds until the next rejected order is disputed. */
export const nextOverdueDisputeInMs = ({ db }: JobServices) => untilNext(db, rejection)

const AT_ONCE = 100

/**
 * Lets appeals lapse if their fee was not paid and no longer can be: the chain's time at confirmed depth is
 * past their offer, and the node knows of no unprocessed payment.
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

/**
 * Returns the milliseconds until the next offer of a fee ends. The chain's time at confirmed depth reaches
 * that time a little later.
 */
export async function nextAppealInMs(services: JobServices): Promise<number | undefined> {
  const next = offeredFees(services).select(untilMs('fee.valid_before').as('ms')).orderBy('fee.valid_before').limit(1)
  return (await next.executeTakeFirst())?.ms
}

function offeredFees({ db }: JobServices) {
  return db.selectFrom('market.appeal_fees as fee').where('fee.state', '=', 'offered')
}
