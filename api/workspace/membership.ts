import { type RawBuilder, sql } from 'kysely'
import { accountOf, accountUrn } from '../actor.ts'
import type { Actor } from '../context.ts'
import { groundProblems, notFound, Problem, type Refusal, requireAllowed } from '../errors.ts'
import type { OrgRole } from '../platform/db/generated/tables.ts'
import type { Db, Tx } from '../platform/db/pool.ts'
import { orgAgentProblems } from './agents/problems.ts'
import { refColumn } from './schemas.ts'

/** The account that acts in the workspace. */
export interface Caller {
  /** The agent's id, or the human's. */
  accountId: string
  /** Form B of that account's URN. */
  urn: string
  /** How the caller acts: through an agent, a browser's session, or a token of a human. */
  via: 'agent' | 'web' | 'api'
}

/** A reader in an org, with the data that decides which spaces they see. */
export interface Reader {
  orgId: string
  /** The human, or the owner of the agent. */
  humanId: string
  role: OrgRole
}

/**
 * The seller of running orders for tasks of an org. It reads those tasks, and each of their files in the
 * version that was added, whichever space they are in. It is not a member, and sees no space.
 */
export interface TaskSeller {
  orgId: string
  /** Ids of the tasks. */
  soldTasks: readonly string[]
}

/** A caller as a member of an org. An agent is in the orgs of its owner, with its owner's role. */
export interface Member extends Caller, Reader {}

/**
 * Returns the caller as a member of the org with this slug. Throws the uniform 404, and 403 for an agent that
 * the org has shut out.
 */
export async function requireMember(db: Db | Tx, actor: Acting, slug: string): Promise<Member> {
  const member = await findMember(db, actor, slug)
  if (member) return member
  throw notFound('org')
}

/** The parts of an actor that decide where it may act, and how it is named. */
type Acting = Pick<Actor, 'humanId' | 'agentId' | 'session'>

/** As requireMember, but returns undefined for a caller who is not in the org. */
async function findMember(db: Db | Tx, actor: Acting, slug: string): Promise<Member | undefined> {
  const { humanId, agentId } = actor
  const row = await db
    .selectFrom('market.org_members as own')
    .innerJoin('market.orgs as org', 'org.id', 'own.org_id')
    .leftJoin('market.org_agents as agent', (join) =>
      join.onRef('agent.org_id', '=', 'org.id').on('agent.agent_id', '=', agentId),
    )
    .select(['org.id', 'own.role', 'org.agents_stopped_at', 'agent.state'])
    .where('org.slug', '=', slug)
    .where('own.human_id', '=', humanId)
    .executeTakeFirst()
  if (!row) return undefined
  if (agentId !== null && row.agents_stopped_at !== null) throw shutOut('stopped all agents')
  if (agentId !== null && row.state !== null && row.state !== 'active') throw shutOut(`${row.state} this agent`)
  return { orgId: row.id, role: row.role, humanId, ...callerOf(actor) }
}

/** Throws 403 unless the member is an owner or an admin of the org. */
export function requireAdmin(reader: Reader): void {
  requireAllowed(refuseMember(reader))
}

/** Refuses what only owners and admins of an org may do. */
export function refuseMember({ role }: Reader): Refusal | undefined {
  if (role !== 'member') return undefined
  return { problem: groundProblems.forbidden, detail: 'This is for owners and admins of the org; you are a member.' }
}

/**
 * Whether a reader sees a space: members of a private space do, and so do the owners and admins of the org.
 */
export function mayRead({ humanId, role }: Reader, spaceId: string): RawBuilder<boolean> {
  if (role !== 'member') return sql<boolean>`true`
  return sql<boolean>`exists (
    select from market.spaces seen where seen.id = ${sql.ref(spaceId)} and (seen.visibility = 'open' or exists (
      select from market.space_members own where own.space_id = seen.id and own.human_id = ${humanId})))`
}

/** Whether somebody reads as the seller of tasks, and not as a member. */
export function isTaskSeller(reader: Reader | TaskSeller): reader is TaskSeller {
  return 'soldTasks' in reader
}

/** Returns how a caller is named in events and in the audit log. */
export function callerOf(actor: Acting): Caller {
  const { agentId, session } = actor
  return {
    accountId: accountOf(actor),
    urn: accountUrn(actor),
    via: agentId !== null ? 'agent' : session ? 'web' : 'api',
  }
}

function shutOut(how: string): Problem {
  return new Problem(orgAgentProblems.agentShutOut, { detail: `The org has ${how}. Ask the agent's human.` })
}

/**
 * The things that an order's seller may read in the buyer's org while the order runs: its task, or a file of
 * the task.
 */
type Sold = { task: string } | { attachment: string }

type Seller = Pick<Actor, 'humanId' | 'agentId'>

/**
 * Returns the caller as a reader of one task or attachment: a member of the org, or the seller of the order
 * that the task is done for, while that runs. Throws the uniform 404.
 */
export async function requireReader(db: Db | Tx, actor: Actor, org: string, what: Sold): Promise<Member | TaskSeller> {
  const reader = await findReader(db, actor, org, what)
  if (reader) return reader
  throw notFound('org')
}

/** Returns the same as `requireReader`, or undefined if the caller may not read it. */
export async function findReader(db: Db | Tx, actor: Actor, org: string, what: Sold) {
  return (await findMember(db, actor, org)) ?? (await findTaskSeller(db, actor, what, org))
}

/**
 * Returns the seller of a task, or of tasks that have a file, in running orders, as their reader; undefined
 * for anybody else.
 */
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
