import { newId } from '../../../../protocol/encoding/ids.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import type { Member } from '../../membership.ts'
import { findPage } from '../../pages/find.ts'
import { recordChange } from '../../recordChange.ts'
import { newShortId } from '../../schemas.ts'
import { openSpace } from '../../spaces/find.ts'
import { taskEvents } from '../module.ts'
import { planColumns, type TaskPlan } from './plan.ts'
import type { TaskRow } from './states.ts'
import { tell } from './tell.ts'

/**
 * A new task: its space and the page that it is about, by short ids or UUIDs, its title and text, and what is
 * planned for it.
 */
export interface NewTask extends TaskPlan {
  space: string
  page?: string | undefined
  title: string
  text: string
}

/**
 * Creates a task in a space, first in the order of the org, and returns it. Notifies its assignee. Throws the
 * uniform 404, 409 if the space is archived, and as `planColumns`.
 */
export async function createTask(tx: Tx, member: Member, input: NewTask): Promise<TaskRow> {
  const { orgId, urn } = member
  const { space: ref, page, title, text, ...planned } = input
  const space = await openSpace(tx, member, ref)
  const about = page === undefined ? null : (await findPage(tx, member, page)).id
  const plan = await planColumns(tx, { org_id: orgId, space_id: space.id }, planned)
  const task = await tx
    .insertInto('market.tasks')
    .values({
      ...{ id: newId(), short_id: newShortId(), org_id: orgId, space_id: space.id, page_id: about },
      ...{ title, text, ...plan, created_by: urn },
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  const { assignee, due_on, priority } = task
  await recordChange(tx, orgId, member, {
    ...{ type: taskEvents['task.created'], entity: task, spaceId: space.id },
    data: { assignee, due_on, priority },
  })
  if (assignee !== null) await tell(tx, member, task, 'task.assigned', assignee)
  return task
}
