import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/pool.ts'
import type { Member } from '../../membership.ts'
import { findTask } from '../find.ts'
import type { TaskRow } from './states.ts'

// The tasks of an org stand in an order of their own: by position, the highest first. A new task gets the
// next value of a sequence, so that it comes first. A task that is moved gets a position between its new
// neighbours. Tasks are moved one at a time, because two that are moved to one place at once would get the
// same position.

/** Locks the order of an org's tasks until the transaction ends. Called before a task is locked. */
export async function lockOrder(tx: Tx, { orgId }: Member): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`tasks ${orgId}`}, 0))`.execute(tx)
}

/**
 * Returns the position directly after another task, given by short id or UUID, or the first position for
 * null. Returns the task's own position where it is in this place already. Throws the uniform 404 for a task
 * that the member does not see.
 */
export async function placeAfter(tx: Tx, member: Member, task: TaskRow, after: string | null): Promise<bigint> {
  const above = after === null ? undefined : await findTask(tx, member, after)
  if (above?.id === task.id) return task.position
  const below = await nextBelow(tx, member, above?.position)
  if (below?.id === task.id) return task.position
  if (!above) return nextPosition(tx)
  if (!below) return above.position - GAP
  const middle = (above.position + below.position) / 2n
  if (middle !== below.position && middle !== above.position) return middle
  await spread(tx, member)
  return placeAfter(tx, member, task, after)
}

const GAP = 1_048_576n

async function nextBelow(tx: Tx, { orgId }: Member, position: bigint | undefined) {
  let query = tx.selectFrom('market.tasks').select(['id', 'position']).where('org_id', '=', orgId)
  if (position !== undefined) query = query.where('position', '<', position)
  return query.orderBy('position', 'desc').limit(1).executeTakeFirst()
}

async function nextPosition(tx: Tx): Promise<bigint> {
  const { rows } = await sql<{ position: bigint }>`select nextval('market.task_positions') as position`.execute(tx)
  const [next] = rows
  if (!next) throw new Error('the sequence gave no position')
  return next.position
}

/**
 * Gives the tasks of an org new positions in the same order, because there is no room left between two of
 * them.
 */
async function spread(tx: Tx, { orgId }: Member): Promise<void> {
  await sql`
    update market.tasks task set position = spread.position
    from (select id, nextval('market.task_positions') as position
      from (select id from market.tasks where org_id = ${orgId} order by position) sorted) spread
    where task.id = spread.id`.execute(tx)
}
