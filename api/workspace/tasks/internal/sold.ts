import type { Actor } from '../../../context.ts'
import { notFound } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { findReader } from '../../membership.ts'
import { findTask } from '../find.ts'

/**
 * Returns the task that an order is placed for, the slug of its org, and the caller as its reader. A seller
 * finds its task with this. Throws the uniform 404, also for a caller who may not read the task.
 */
export async function findTaskOfOrder(tx: Tx, actor: Actor, orderId: string) {
  const found = await tx
    .selectFrom('market.tasks as task')
    .innerJoin('market.orgs as org', 'org.id', 'task.org_id')
    .select(['task.id', 'org.slug'])
    .where('task.order_id', '=', orderId)
    .executeTakeFirst()
  const reader = found && (await findReader(tx, actor, found.slug, { task: found.id }))
  if (!reader) throw notFound('task')
  return { org: found.slug, task: await findTask(tx, reader, found.id), reader }
}
