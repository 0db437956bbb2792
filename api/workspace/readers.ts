import { sql } from 'kysely'
import type { Actor } from '../context.ts'
import { notFound } from '../errors.ts'
import type { Db, Tx } from '../platform/db/pool.ts'
import { findMember, type Member, type TaskSeller } from './membership.ts'
import { refColumn } from './shortId.ts'

/** What an order's seller may read of the buyer's org while it runs: its task, or a file of that. */
type Sold = { task: string } | { attachment: string }

type Seller = Pick<Actor, 'humanId' | 'agentId'>

/**
 * Returns the caller as a reader of one task or attachment: a member of the org, or the seller of the order that the task
 * is done for, while that runs. Throws the uniform 404.
 */
export async function requireReader(db: Db | Tx, actor: Actor, org: string, what: Sold): Promise<Member | TaskSeller> {
  const reader = await findReader(db, actor, org, what)
  if (reader) return reader
  throw notFound('org')
}

/** Returns the same as `requireReader`, or undefined for who may not read it. */
export async function findReader(db: Db | Tx, actor: Actor, org: string, what: Sold) {
  return (await findMember(db, actor, org)) ?? (await findTaskSeller(db, actor, what, org))
}

/** Returns who sells a task, or tasks that have a file, in orders that run, as a reader of those; undefined for anybody else. */
export async function findTaskSeller(
  db: Db | Tx,
  { humanId, agentId }: Seller,
  what: Sold,
  org?: string,
): Promise<TaskSeller | undefined> {
  const isTask = 'task' in what
  const { column, value } = refColumn(isTask ? what.task : what.attachment)
  const { rows } = await sql<{ id: string; org_id: string }>`
    select task.id, task.org_id from market.orders traded
    join market.tasks task on task.order_id = traded.id
    join market.orgs org on org.id = task.org_id
    ${isTask ? sql`` : sql`join market.task_files own on own.task_id = task.id join market.attachments file on file.id = own.attachment_id`}
    where ${sql.ref(isTask ? `task.${column}` : `file.${column}`)} = ${value}
      and (${org ?? null}::text is null or org.slug = ${org ?? null})
      and traded.state in ('funded', 'in_flight', 'delivered', 'rejected', 'disputed')
      and ${agentId === null ? sql`traded.seller_owner_id = ${humanId}` : sql`traded.seller_id = ${agentId} and org.agents_stopped_at is null`}`.execute(
    db,
  )
  const [first] = rows
  return first && { orgId: first.org_id, soldTasks: rows.map(({ id }) => id) }
}
