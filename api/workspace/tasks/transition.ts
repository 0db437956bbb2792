import { type Expression, sql, type UpdateType } from 'kysely'
import { refuse } from '../../errors.ts'
import type { Database } from '../../platform/db/generated/tables.ts'
import type { Tx } from '../../platform/db/pool.ts'
import type { Caller } from '../membership.ts'
import { record } from '../record.ts'
import { taskEvents } from './events.ts'
import type { TaskRow } from './find.ts'
import { stateConflict } from './guards.ts'
import { type TaskStep, type Transition, taskTransitions } from './states.ts'

type Columns = Database['market.tasks']
type Changes = { [Column in keyof Columns]?: UpdateType<Columns[Column]> | Expression<unknown> }

/**
 * Moves a locked task along its lifecycle: one conditional UPDATE, with its event, `task.state_changed`, and where it is done
 * `task.completed`. Returns the new row. Throws 409 if the step cannot start from the task's state.
 */
export async function transition(
  tx: Tx,
  by: Caller | null,
  task: TaskRow,
  step: TaskStep,
  changes: Changes = {},
): Promise<TaskRow> {
  const { from, to, event }: Transition = taskTransitions[step]
  const moved = await tx
    .updateTable('market.tasks')
    .set({ ...(changes as object), state: to, updated_at: sql<Date>`market.now()` })
    .where('id', '=', task.id)
    .where('state', 'in', from)
    .returningAll()
    .executeTakeFirstOrThrow(() => refuse(stateConflict(from)))
  const change = { entity: moved, spaceId: moved.space_id }
  const data = { from: task.state, to, ...(moved.order_id === null ? {} : { order_id: moved.order_id }) }
  await record(tx, moved.org_id, by, { type: taskEvents[event], ...change, data })
  await record(tx, moved.org_id, by, { type: taskEvents['task.state_changed'], ...change, data })
  if (to === 'approved') await record(tx, moved.org_id, by, { type: taskEvents['task.completed'], ...change, data })
  return moved
}
