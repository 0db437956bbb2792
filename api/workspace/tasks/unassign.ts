import { sql } from 'kysely'
import type { MembershipChanged } from '../../identity/announcements.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { callerOf } from '../membership.ts'
import { recordChange } from '../recordChange.ts'
import type { TaskRow } from './internal/states.ts'
import { pageForEvent } from './internal/update.ts'
import { taskEvents } from './module.ts'

/**
 * Leaves the tasks that somebody who left an org, or an agent of theirs, was to do to nobody. What is done or
 * archived stays.
 */
export async function unassignLeaver(tx: Tx, { orgId, humanId, actor, change }: MembershipChanged): Promise<void> {
  if (change !== 'removed') return
  const { rows } = await sql<TaskRow>`
    update market.tasks set assignee = null, updated_at = market.now()
    where org_id = ${orgId} and state not in ('approved', 'archived') and assignee in (
      select 'market:human:' || ${humanId}::text union all
      select 'market:agent:' || id from market.agents where owner_id = ${humanId})
    returning *`.execute(tx)
  for (const task of rows) {
    const { space_id: spaceId, due_on, priority } = task
    const page_id = await pageForEvent(tx, task)
    await recordChange(tx, orgId, actor && callerOf(actor), {
      type: taskEvents['task.updated'],
      entity: task,
      spaceId,
      data: { page_id, assignee: null, due_on, priority, changed: ['assignee'] },
    })
  }
}
