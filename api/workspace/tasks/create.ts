import { newId } from '../../../protocol/encoding/ids.ts'
import type { Tx } from '../../platform/db/pool.ts'
import type { Member } from '../membership.ts'
import { findPage } from '../pages/find.ts'
import { recordChange } from '../recordChange.ts'
import { newShortId } from '../schemas.ts'
import { openSpace } from '../spaces/find.ts'
import { taskEvents } from './declaration.ts'
import type { TaskRow } from './find.ts'

/** A new task: its space and the page that it is about, by short ids or UUIDs, and its title and text. */
export interface NewTask {
  space: string
  page?: string | undefined
  title: string
  text: string
}

/** Creates a task in a space and returns it. Throws the uniform 404, and 409 if the space is archived. */
export async function createTask(tx: Tx, member: Member, { space: ref, page, title, text }: NewTask): Promise<TaskRow> {
  const { orgId, urn } = member
  const space = await openSpace(tx, member, ref)
  const about = page === undefined ? null : (await findPage(tx, member, page)).id
  const task = await tx
    .insertInto('market.tasks')
    .values({
      ...{ id: newId(), short_id: newShortId(), org_id: orgId, space_id: space.id, page_id: about },
      ...{ title, text, created_by: urn },
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await recordChange(tx, orgId, member, { type: taskEvents['task.created'], entity: task, spaceId: space.id })
  return task
}
