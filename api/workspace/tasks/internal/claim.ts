import { sql } from 'kysely'
import type { MarketRules } from '../../../context.ts'
import { requireAllowed } from '../../../errors.ts'
import { readClock } from '../../../platform/db/clock.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import type { Member } from '../../membership.ts'
import { lockTask } from '../find.ts'
import { endLease } from '../leases.ts'
import { refuseClaim, refuseRenew } from './guards.ts'
import type { TaskRow } from './states.ts'
import { transition } from './transition.ts'

/**
 * Claims a task for the caller until its lease is over; the claimant renews it by claiming again. An expired
 * claim of somebody else ends first. Throws the uniform 404, and 409 for a task that is not open.
 */
export async function claimTask(
  tx: Tx,
  { taskLeaseSeconds }: MarketRules,
  member: Member,
  { ref, leaseSeconds = taskLeaseSeconds }: { ref: string; leaseSeconds?: number | undefined },
): Promise<TaskRow> {
  const task = await lockTask(tx, member, ref)
  const lease_until = sql<Date>`market.now() + make_interval(secs => ${leaseSeconds})`
  if (refuseRenew(task, member) === undefined) {
    return tx
      .updateTable('market.tasks')
      .set({ lease_until })
      .where('id', '=', task.id)
      .returningAll()
      .executeTakeFirstOrThrow()
  }
  requireAllowed(refuseClaim(task, member, await readClock(tx)))
  const open = task.state === 'claimed' ? await endLease(tx, task) : task
  return transition(tx, member, open, 'claim', { lease_until, claimed_by: member.urn })
}
