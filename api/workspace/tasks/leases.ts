import { sql } from 'kysely'
import { untilMs } from '../../platform/db/clock.ts'
import type { Db, Tx } from '../../platform/db/pool.ts'
import { actOnDue } from '../../platform/jobs/due.ts'
import type { JobServices } from '../../platform/jobs/services.ts'
import { lockBid } from '../../trading/bids/find.ts'
import type { TaskRow } from './internal/states.ts'
import { transition } from './internal/transition.ts'

/** Reopens the tasks whose claimants have not renewed their lease. */
export async function expireLeases(services: JobServices): Promise<void> {
  const find = (passedOver: readonly string[], limit: number) =>
    services.db
      .selectFrom('market.tasks')
      .select('id')
      .where('state', '=', 'claimed')
      .where('lease_until', '<=', sql<Date>`market.now()`)
      .orderBy('lease_until')
      .$if(passedOver.length > 0, (query) => query.where('id', 'not in', passedOver))
      .limit(limit)
      .execute()
  await actOnDue(services, 'task lease', find, expireLease)
}

/** Returns the milliseconds until the next lease is over, or undefined if no task has one. */
export async function nextLeaseInMs({ db }: JobServices): Promise<number | undefined> {
  const next = await db
    .selectFrom('market.tasks')
    .select(untilMs('lease_until').as('ms'))
    .where('state', '=', 'claimed')
    .where('lease_until', 'is not', null)
    .orderBy('lease_until')
    .limit(1)
    .executeTakeFirst()
  return next?.ms
}

/** Reopens a task whose lease is over. Returns false if there is no such task. */
async function expireLease(tx: Tx, taskId: string): Promise<boolean> {
  const task = await tx
    .selectFrom('market.tasks')
    .selectAll()
    .where('id', '=', taskId)
    .where('state', '=', 'claimed')
    .where('lease_until', '<=', sql<Date>`market.now()`)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!task) return false
  await endLease(tx, task)
  return true
}

/** Reopens a locked task whose claimant has let the lease run out. */
export async function endLease(tx: Tx, task: TaskRow): Promise<TaskRow> {
  return transition(tx, null, task, 'expire', { claimed_by: null, lease_until: null })
}

/**
 * Reopens the tasks that nobody can order any more: their bid is closed, or is over and has no valid quote.
 */
export async function endLapsedOffers(services: JobServices): Promise<void> {
  const find = (passedOver: readonly string[], limit: number) =>
    lapsed(services.db)
      .select('task.id')
      .$if(passedOver.length > 0, (query) => query.where('task.id', 'not in', passedOver))
      .limit(limit)
      .execute()
  await actOnDue(services, 'task offer', find, endLapsedOffer)
}

/** Reopens an offered task and returns true, or returns false if it can still be ordered or was ordered. */
async function endLapsedOffer(tx: Tx, taskId: string): Promise<boolean> {
  const task = await tx
    .selectFrom('market.tasks')
    .selectAll()
    .where('id', '=', taskId)
    .where('state', '=', 'offered')
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!task?.bid_id) return false
  // While this lock is held, no quote is written and no order is placed on the bid.
  await lockBid(tx, task.bid_id)
  if (!(await lapsed(tx).select('task.id').where('task.id', '=', taskId).executeTakeFirst())) return false
  await transition(tx, null, task, 'withdraw', { bid_id: null })
  return true
}

function lapsed(db: Db | Tx) {
  return db
    .selectFrom('market.tasks as task')
    .innerJoin('market.bids as bid', 'bid.id', 'task.bid_id')
    .where('task.state', '=', 'offered')
    .where(
      sql<boolean>`(bid.state = 'closed' or bid.expires_at <= market.now() and not exists (select from market.quotes
        where bid_id = bid.id and state = 'open' and expires_at > market.now()))`,
    )
    .where(sql<boolean>`not exists (select from market.orders where bid_id = bid.id and state <> 'cancelled')`)
}
