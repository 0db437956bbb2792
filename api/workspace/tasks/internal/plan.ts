import { sql } from 'kysely'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { Problem } from '../../../errors.ts'
import type { TaskPriority } from '../../../platform/db/generated/tables.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import type { Account } from '../../../platform/http/route/schemas.ts'
import { httpProblems } from '../../../platform/http/serve/problems.ts'
import type { TaskRow } from './states.ts'

/** What an org plans for a task. An undefined field stays as it is. */
export interface TaskPlan {
  /** Who is to do it; null for nobody. */
  assignee?: Account | null | undefined
  /** The day by which it is to be done, as 2026-12-31. */
  due_on?: string | null | undefined
  labels?: readonly string[] | undefined
  priority?: TaskPriority | undefined
}

/** The columns of a plan. */
type PlanColumns = Pick<TaskRow, 'assignee' | 'due_on' | 'labels' | 'priority'>

const NO_PLAN: PlanColumns = { assignee: null, due_on: null, labels: [], priority: 'none' }

/**
 * Returns the columns of a task's plan after a change; a new task has no plan before. Labels are kept once
 * each, sorted. Throws request/invalid for an assignee who does not see the task.
 */
export async function planColumns(
  tx: Tx,
  { org_id, space_id }: Pick<TaskRow, 'org_id' | 'space_id'>,
  plan: TaskPlan,
  before: PlanColumns = NO_PLAN,
): Promise<PlanColumns> {
  const { assignee, due_on = before.due_on, labels = before.labels, priority = before.priority } = plan
  return {
    assignee: assignee === undefined ? before.assignee : await assigneeUrn(tx, { org_id, space_id }, assignee, before),
    ...{ due_on, priority, labels: [...new Set(labels)].sort() },
  }
}

/** Returns the names of the fields that differ between two plans. */
export function changedPlan(before: PlanColumns, after: PlanColumns): (keyof PlanColumns)[] {
  const names = Object.keys(NO_PLAN) as (keyof PlanColumns)[]
  return names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
}

/** Returns the plan of a task in its wire form. */
export function toPlan({ assignee, due_on, labels, priority }: PlanColumns): PlanColumns {
  return { assignee, due_on, labels, priority }
}

/** The plan that a task's seller reads: a plan is the org's own. */
export const HIDDEN_PLAN = toPlan(NO_PLAN)

async function assigneeUrn(
  tx: Tx,
  { org_id, space_id }: Pick<TaskRow, 'org_id' | 'space_id'>,
  assignee: Account | null,
  before: PlanColumns,
): Promise<string | null> {
  if (assignee === null) return null
  const { kind, id } = assignee
  const urn = urnString(kind, id)
  if (urn === before.assignee) return urn
  const { rows } = await sql<{ sees: boolean }>`
    select exists (
      select from market.org_members own
      where own.org_id = ${org_id} and own.human_id = ${kind === 'human' ? sql`${id}` : sql`(select owner_id from market.agents where id = ${id} and deactivated_at is null)`}
        and market.sees_space(own.org_id, own.human_id, ${space_id})) as sees`.execute(tx)
  if (rows[0]?.sees) return urn
  const detail = 'assignee: must be a member of the org who sees the task, or an agent of one.'
  throw new Problem(httpProblems.invalid, { detail, field: 'assignee' })
}
