import { sql } from 'kysely'
import { untilMs } from '../../platform/db/clock.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { actOnDue } from '../../platform/jobs/due.ts'
import type { JobServices } from '../../platform/jobs/services.ts'
import type { TaskRow } from './find.ts'
import { transition } from './transition.ts'

/** Opens the tasks again whose claimants have not renewed their lease. */
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

/** Opens a task again whose lease is over. Returns false if it has none that is. */
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

/** Opens a locked task again whose claimant has let the lease run out. */
export async function endLease(tx: Tx, task: TaskRow): Promise<TaskRow> {
  return transition(tx, null, task, 'expire', { claimed_by: null, lease_until: null })
}
