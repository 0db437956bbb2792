import { sql } from 'kysely'
import { refuse } from '../../../errors.ts'
import type { Database } from '../../../platform/db/generated/tables.ts'
import { type Changes, lifecycle } from '../../../platform/db/lifecycle.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import type { Caller } from '../../membership.ts'
import { recordChange } from '../../recordChange.ts'
import { taskEvents } from '../module.ts'
import { stateConflict } from './guards.ts'
import { type TaskRow, type TaskTransition, taskTransitions } from './states.ts'

const move = lifecycle('market.tasks', 'state', taskTransitions)

/**
 * Moves a locked task along its lifecycle: one conditional UPDATE, with the event `task.state_changed`, and
 * `task.completed` when the task becomes done. Returns the new row. Throws 409 if the transition cannot start
 * from the task's state.
 */
export async function transition(
  tx: Tx,
  by: Caller | null,
  task: TaskRow,
  name: TaskTransition,
  changes: Changes<Database['market.tasks']> = {},
): Promise<TaskRow> {
  const { from, to, event } = taskTransitions[name]
  const [moved] = await move(tx, sql<boolean>`id = ${task.id}`, name, {
    ...changes,
    updated_at: sql<Date>`market.now()`,
  })
  if (!moved) throw refuse(stateConflict(from))
  const change = { entity: moved, spaceId: moved.space_id }
  const data = { from: task.state, to, ...(moved.order_id === null ? {} : { order_id: moved.order_id }) }
  await recordChange(tx, moved.org_id, by, { type: taskEvents[event], ...change, data })
  await recordChange(tx, moved.org_id, by, { type: taskEvents['task.state_changed'], ...change, data })
  if (to === 'approved')
    await recordChange(tx, moved.org_id, by, { type: taskEvents['task.completed'], ...change, data })
  return moved
}
