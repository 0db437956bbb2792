import { sql } from 'kysely'
import { untilMs } from '../../platform/db/clock.ts'
import type { Db } from '../../platform/db/pool.ts'
import { actOnDue } from '../../platform/jobs/due.ts'
import type { JobServices } from '../../platform/jobs/services.ts'
import { advanceDispute, arbitrate } from './advance.ts'

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
      // The evidence closes once its deliveries are checked, whose job wakes this one.
      .where(
        sql<boolean>`(dispute.state <> 'open' or not exists (
          select from market.delivery_checks wanted where wanted.order_id = dispute.order_id and wanted.results is null))`,
      )
      .$if(passedOver.length > 0, (query) => query.where('dispute.id', 'not in', passedOver))
      .orderBy('dispute.due_at')
      .limit(limit)
  )
}
