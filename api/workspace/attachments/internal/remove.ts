import { type RawBuilder, sql } from 'kysely'
import { anyOf } from '../../../platform/db/lists.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { removeUnused } from '../storage.ts'

/**
 * Whether an attachment, or one version of it, belongs to a task that is offered on the market or whose order
 * has not ended. The seller reads it, and a dispute may be about it.
 */
export function isHeld(attachmentId: string, version?: number): RawBuilder<boolean> {
  return sql<boolean>`exists (select from market.task_files added
    join market.tasks task on task.id = added.task_id
    left join market.orders traded on traded.id = task.order_id
    where added.attachment_id = ${sql.ref(attachmentId)}
      and (task.state = 'offered' or traded.state not in ('cancelled', 'final'))
      ${version === undefined ? sql`` : sql`and added.version = ${version}`})`
}

/**
 * Locks the tasks that have one of the attachments, so that none of them is offered or ordered until the
 * transaction ends.
 */
export async function lockTasksWith(tx: Tx, attachmentIds: readonly string[]): Promise<void> {
  await tx
    .selectFrom('market.tasks')
    .select('id')
    .where('id', 'in', (query) =>
      query.selectFrom('market.task_files').select('task_id').where('attachment_id', '=', anyOf(attachmentIds)),
    )
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

/**
 * Removes attachments for good, except held ones, with their versions and the files that no other version
 * has. Returns the ids of the removed ones. The storage and the attachments must be locked.
 */
export async function removeAttachments(tx: Tx, orgId: string, attachmentIds: readonly string[]): Promise<Set<string>> {
  if (attachmentIds.length === 0) return new Set()
  await lockTasksWith(tx, attachmentIds)
  const files = await tx
    .selectFrom('market.attachment_versions')
    .select('file_id')
    .distinct()
    .where('attachment_id', '=', anyOf(attachmentIds))
    .execute()
  const removed = await tx
    .deleteFrom('market.attachments')
    .where('id', '=', anyOf(attachmentIds))
    .where(({ not }) => not(isHeld('market.attachments.id')))
    .returning('id')
    .execute()
  const unused = files.map(({ file_id }) => file_id)
  await removeUnused(tx, orgId, unused)
  return new Set(removed.map(({ id }) => id))
}
