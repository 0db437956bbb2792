import { sql } from 'kysely'
import { requireAllowed } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { findAttachment } from '../../attachments/find.ts'
import type { Member } from '../../membership.ts'
import { findPage, idForEvent } from '../../pages/find.ts'
import { recordChange } from '../../recordChange.ts'
import { lockTask } from '../find.ts'
import { taskEvents } from '../module.ts'
import { refuseUpdate } from './guards.ts'
import { lockOrder, placeAfter } from './order.ts'
import { changedPlan, planColumns, type TaskPlan } from './plan.ts'
import type { TaskRow } from './states.ts'
import { tell } from './tell.ts'

/** The fields of a task to change. An undefined field stays as it is. */
export interface TaskEdit extends TaskPlan {
  title?: string | undefined
  text?: string | undefined
  /** Short id or UUID; null for none. */
  page?: string | null | undefined
  /** The task directly above it in the order of the org, by short id or UUID; null makes it the first. */
  after?: string | null | undefined
}

/**
 * Changes what is to be done, what is planned, and the place of a task; does nothing where these are so
 * already. Notifies a new assignee. Throws the uniform 404, as `planColumns`, and 409 for a change of title,
 * text or page while the task is offered or an order runs for it, because its terms are fixed then.
 */
export async function updateTask(tx: Tx, member: Member, ref: string, edit: TaskEdit): Promise<TaskRow> {
  if (edit.after !== undefined) await lockOrder(tx, member)
  const task = await lockTask(tx, member, ref)
  const terms = await editedTerms(tx, member, task, edit)
  const plan = await planColumns(tx, task, edit, task)
  const position = edit.after === undefined ? task.position : await placeAfter(tx, member, task, edit.after)
  const changed = [
    ...(['title', 'text', 'page_id'] as const).filter((name) => terms[name] !== task[name]),
    ...changedPlan(task, plan),
    ...(position === task.position ? [] : ['position']),
  ]
  if (changed.length === 0) return task
  const updated = await tx
    .updateTable('market.tasks')
    .set({ ...terms, ...plan, position, updated_at: sql<Date>`market.now()` })
    .where('id', '=', task.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const { assignee, due_on, priority } = updated
  const page_id = await pageForEvent(tx, updated)
  await recordUpdate(tx, member, updated, { page_id, assignee, due_on, priority, changed })
  if (assignee !== task.assignee) await tell(tx, member, updated, 'task.assigned', assignee)
  return updated
}

/** Returns title, text and page after an edit. Throws 404, and 409 if one of them changes that must not. */
async function editedTerms(tx: Tx, member: Member, task: TaskRow, { title, text, page }: TaskEdit) {
  if (title !== undefined || text !== undefined || page !== undefined) requireAllowed(refuseUpdate(task))
  return {
    title: title ?? task.title,
    text: text ?? task.text,
    page_id: page === undefined ? task.page_id : page && (await findPage(tx, member, page)).id,
  }
}

/**
 * Adds a file to a task in its current version, or takes it off. The seller of the task's order reads that
 * version. Adding the file again replaces it with the version that is current then. Throws the uniform 404.
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

/** Returns the page of a task as its event has it: null for one that not all who see the task see. */
export async function pageForEvent(tx: Tx, { page_id, space_id }: TaskRow): Promise<string | null> {
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
