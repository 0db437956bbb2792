import { sql } from 'kysely'
import { urn } from '../../../protocol/encoding/urn.ts'
import { notFound } from '../../errors.ts'
import type { TaskPriority, TaskState } from '../../platform/db/generated/tables.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { normalizeName } from '../../platform/http/route/names.ts'
import { type AttachmentRow, findAttachmentRows, toSeenAttachment } from '../attachments/find.ts'
import { isTaskSeller, type Member, mayRead, type Reader, type TaskSeller } from '../membership.ts'
import { findSeenPages } from '../pages/find.ts'
import { refColumn } from '../schemas.ts'
import { openSpace } from '../spaces/find.ts'
import type { TaskAction } from './internal/guards.ts'
import { mayOfTasks } from './internal/may.ts'
import { HIDDEN_PLAN, toPlan } from './internal/plan.ts'
import type { TaskRow } from './internal/states.ts'

/** Returns a task that a reader sees, by its short id or UUID. Throws the uniform 404. */
export async function findTask(tx: Tx, reader: Reader | TaskSeller, ref: string): Promise<TaskRow> {
  const row = await selectTask(tx, reader, ref).executeTakeFirst()
  if (row) return row
  throw notFound('task')
}

/**
 * Returns a task and locks it before it changes. Throws the uniform 404, and 409 for a task in an archived
 * space.
 */
export async function lockTask(tx: Tx, reader: Reader, ref: string): Promise<TaskRow> {
  const row = await selectTask(tx, reader, ref).forNoKeyUpdate().executeTakeFirst()
  if (!row) throw notFound('task')
  await openSpace(tx, reader, row.space_id)
  return row
}

function selectTask(tx: Tx, reader: Reader | TaskSeller, ref: string) {
  const { column, value } = refColumn(ref)
  return tx
    .selectFrom('market.tasks')
    .selectAll()
    .where(column, '=', value)
    .where('org_id', '=', reader.orgId)
    .where(
      isTaskSeller(reader)
        ? sql<boolean>`market.tasks.id = any(${reader.soldTasks})`
        : mayRead(reader, 'market.tasks.space_id'),
    )
}

/** Which tasks a list has. An undefined member leaves none out. */
export interface TaskFilter {
  spaceId?: string | undefined
  state?: TaskState | undefined
  isArchived?: boolean | undefined
  /** Form B of a URN. */
  assignee?: string | undefined
  label?: string | undefined
  priority?: TaskPriority | undefined
  /** The last day on which they may be due. */
  dueBy?: string | undefined
}

/**
 * Lists the tasks of an org that a reader sees: the newest first, starting below an id, or in the order of
 * the org, starting below a position.
 */
export async function listTaskRows(
  tx: Tx,
  reader: Reader,
  filter: TaskFilter,
  { order, from, limit }: { order: 'newest' | 'position'; from: string | undefined; limit: number },
): Promise<TaskRow[]> {
  const { spaceId, state, isArchived, assignee, label, priority, dueBy } = filter
  const by = order === 'newest' ? 'id' : 'position'
  let query = tx
    .selectFrom('market.tasks')
    .selectAll()
    .where('org_id', '=', reader.orgId)
    .where(mayRead(reader, 'market.tasks.space_id'))
  if (spaceId !== undefined) query = query.where('space_id', '=', spaceId)
  if (state !== undefined) query = query.where('state', '=', state)
  if (isArchived !== undefined) query = query.where('state', isArchived ? '=' : '<>', 'archived')
  if (assignee !== undefined) query = query.where('assignee', '=', assignee)
  if (label !== undefined) query = query.where(sql<boolean>`labels && ${[label, normalizeName(label)]}::text[]`)
  if (priority !== undefined) query = query.where('priority', '=', priority)
  if (dueBy !== undefined) query = query.where('due_on', '<=', dueBy)
  if (from !== undefined) query = query.where(sql<boolean>`${sql.ref(by)} < ${from}`)
  return query.orderBy(by, 'desc').limit(limit).execute()
}

/** Returns the files of a task that a reader sees, in no order. */
async function filesOf(tx: Tx, reader: Reader | TaskSeller, taskId: string): Promise<AttachmentRow[]> {
  const rows = await tx.selectFrom('market.task_files').select('attachment_id').where('task_id', '=', taskId).execute()
  const ids = rows.map(({ attachment_id }) => attachment_id)
  return (await findAttachmentRows(tx, reader, ids)).filter(({ trashed_at }) => trashed_at === null)
}

/**
 * Returns tasks as lists show them to a reader, with the actions that the reader may take on each. The page
 * that a task is about is left out if the reader does not see it.
 */
export async function toTaskItems(tx: Tx, reader: Member | TaskSeller, rows: readonly TaskRow[]) {
  const ids = rows.map(({ page_id }) => page_id)
  const seen = await findSeenPages(tx, reader, ids)
  const may = await mayOfTasks(tx, reader, rows)
  return rows.map((row) => {
    const page_id = row.page_id !== null && seen.has(row.page_id) ? row.page_id : null
    const plan = isTaskSeller(reader) ? HIDDEN_PLAN : toPlan(row)
    return { ...toTaskItem({ ...row, page_id }, may.get(row.id) ?? []), ...plan }
  })
}

/** Returns a task in its wire form, with its files. */
export async function toTask(tx: Tx, reader: Member | TaskSeller, row: TaskRow) {
  const [item] = await toTaskItems(tx, reader, [row])
  const files = (await filesOf(tx, reader, row.id)).map((file) => toSeenAttachment(reader, file))
  if (!item) throw new Error('a task has no item')
  return { ...item, files }
}

function toTaskItem(row: TaskRow, may: TaskAction[]) {
  const { id, short_id, space_id, page_id, title, text, state, claimed_by, result, reason, created_by } = row
  return {
    ...{ id, short_id, space_id, page_id, title, text, state, may, claimed_by, result, reason, created_by },
    lease_until: row.lease_until?.toISOString() ?? null,
    bid_urn: row.bid_id === null ? null : urn('bid', row.bid_id),
    order_urn: row.order_id === null ? null : urn('order', row.order_id),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
