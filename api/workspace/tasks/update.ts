import { sql } from 'kysely'
import { requireAllowed } from '../../errors.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { findAttachment } from '../attachments/find.ts'
import type { Member } from '../membership.ts'
import { findPage, idForEvent } from '../pages/find.ts'
import { recordChange } from '../recordChange.ts'
import { taskEvents } from './declaration.ts'
import { lockTask, type TaskRow } from './find.ts'
import { refuseUpdate } from './guards.ts'

/** The fields of a task to change. An undefined field stays as it is. */
export interface TaskEdit {
  title?: string | undefined
  text?: string | undefined
  /** Short id or UUID; null for none. */
  page?: string | null | undefined
}

/**
 * Changes the text and fields of a task; does nothing where they have these values already. Throws the uniform 404, and 409 while
 * the task is offered or an order runs for it, because its terms are fixed then.
 */
export async function updateTask(tx: Tx, member: Member, ref: string, { page, ...words }: TaskEdit): Promise<TaskRow> {
  const task = await lockTask(tx, member, ref)
  requireAllowed(refuseUpdate(task))
  const { title = task.title, text = task.text } = words
  const about = page === undefined ? task.page_id : page && (await findPage(tx, member, page)).id
  if (title === task.title && text === task.text && about === task.page_id) return task
  const updated = await tx
    .updateTable('market.tasks')
    .set({ title, text, page_id: about, updated_at: sql<Date>`market.now()` })
    .where('id', '=', task.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await recordUpdate(tx, member, updated, { page_id: await pageForEvent(tx, updated) })
  return updated
}

/**
 * Adds a file to a task in its current version, or takes it off. The seller of the task's order reads that version. Adding the
 * file again replaces it with the version that is current then. Throws the uniform 404.
 */
export async function setTaskFile(
  tx: Tx,
  member: Member,
  { ref, attachment, isOn }: { ref: string; attachment: string; isOn: boolean },
): Promise<TaskRow> {
  const task = await lockTask(tx, member, ref)
  const file = await findAttachment(tx, member, attachment)
  const { id, version } = file
  const row = { task_id: task.id, attachment_id: id, org_id: member.orgId, version }
  const changed = isOn
    ? (
        await tx
          .insertInto('market.task_files')
          .values(row)
          .onConflict((on) =>
            on
              .columns(['task_id', 'attachment_id'])
              .doUpdateSet({ version })
              .where('market.task_files.version', '<>', version),
          )
          .executeTakeFirst()
      ).numInsertedOrUpdatedRows
    : (
        await tx
          .deleteFrom('market.task_files')
          .where('task_id', '=', task.id)
          .where('attachment_id', '=', id)
          .executeTakeFirst()
      ).numDeletedRows
  if (!changed) return task
  const attachmentId = await idForEvent(tx, file, task.space_id)
  await recordUpdate(tx, member, task, { attachment_id: attachmentId, attached: isOn, ...(isOn ? { version } : {}) })
  return task
}

async function pageForEvent(tx: Tx, { page_id, space_id }: TaskRow): Promise<string | null> {
  if (page_id === null) return null
  const page = await tx
    .selectFrom('market.pages')
    .select(['id', 'space_id'])
    .where('id', '=', page_id)
    .executeTakeFirst()
  return idForEvent(tx, page, space_id)
}

async function recordUpdate(tx: Tx, member: Member, task: TaskRow, data: Record<string, unknown>): Promise<void> {
  await recordChange(tx, member.orgId, member, {
    type: taskEvents['task.updated'],
    entity: task,
    spaceId: task.space_id,
    data,
  })
}
