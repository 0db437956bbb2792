import { sql } from 'kysely'
import type { MarketRules } from '../../context.ts'
import type { Tx } from '../../platform/db/pool.ts'
import type { Member } from '../membership.ts'
import { lockTask, type TaskRow } from './find.ts'
import { expireLease } from './leases.ts'
import { requireFree, transition } from './transition.ts'

/**
 * Claims a task for the caller until its lease is over; the claimant renews it by claiming again. A claim of somebody else that
 * is over ends first. Throws the uniform 404, and 409 for one that is not open.
 */
export async function claimTask(
  tx: Tx,
  { taskLeaseSeconds }: MarketRules,
  member: Member,
  { ref, leaseSeconds = taskLeaseSeconds }: { ref: string; leaseSeconds?: number | undefined },
): Promise<TaskRow> {
  const found = await lockTask(tx, member, ref)
  requireFree(found)
  const task = found.claimed_by === member.urn ? found : ((await expireLease(tx, found.id)) ?? found)
  const lease = { lease_until: sql<Date>`market.now() + make_interval(secs => ${leaseSeconds})` }
  if (task.state !== 'claimed' || task.claimed_by !== member.urn) {
    return transition(tx, member, task, 'claim', { ...lease, claimed_by: member.urn })
  }
  return tx.updateTable('market.tasks').set(lease).where('id', '=', task.id).returningAll().executeTakeFirstOrThrow()
}
