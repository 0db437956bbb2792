import { sql } from 'kysely'
import type { Actor } from '../../context.ts'
import { groundProblems, notFound, Problem } from '../../errors.ts'
import type { Tx } from '../../platform/db/pool.ts'

/** Returns the id of the human who owns an agent. */
export async function readOwner(tx: Tx, agentId: string): Promise<string> {
  const agent = tx.selectFrom('market.agents').select('owner_id').where('id', '=', agentId)
  return (await agent.executeTakeFirstOrThrow()).owner_id
}

/**
 * Locks a human's row against erasure until the transaction ends. The lock is shared; erasure waits for every
 * holder and then sees their changes. Throws the error that `erased` makes if the human was erased.
 */
export async function lockHuman(tx: Tx, humanId: string, erased: () => Error): Promise<void> {
  const { rows } = await sql`
    select from market.humans where id = ${humanId} and erased_at is null for key share`.execute(tx)
  if (rows.length === 0) throw erased()
}

/** Does the same for the human who owns an agent. */
export async function lockOwner(tx: Tx, agentId: string, erased: () => Error): Promise<void> {
  const { rows } = await sql`
    select from market.humans human join market.agents agent on agent.owner_id = human.id
    where agent.id = ${agentId} and human.erased_at is null for key share of human`.execute(tx)
  if (rows.length === 0) throw erased()
}

/**
 * Returns the id of a human's agent, or undefined if it is not theirs, and locks the agent until the
 * transaction ends, so that it cannot be deactivated while the caller begins something for it. Throws
 * agents/deactivated if it already is.
 */
export async function holdActiveAgent(tx: Tx, humanId: string, agentId: string): Promise<string | undefined> {
  const agent = await tx
    .selectFrom('market.agents')
    .select(['id', 'deactivated_at'])
    .where('id', '=', agentId)
    .where('owner_id', '=', humanId)
    .forShare()
    .executeTakeFirst()
  if (agent?.deactivated_at) throw deactivated()
  return agent?.id
}

/** The error for anything that a deactivated agent may not begin. */
export function deactivated(): Problem {
  return new Problem(groundProblems.deactivated, {
    detail: 'This agent has been deactivated. It can finish its orders, and cannot begin anything new.',
  })
}

/**
 * Returns the agents that a caller reads for: the acting agent, or without one, every agent of the human.
 * With `agentId`, returns only that agent; throws 404 if it is not one of them.
 */
export async function readingAgents(tx: Tx, actor: Actor, agentId?: string): Promise<string[]> {
  if (actor.agentId !== null) {
    if (agentId !== undefined && agentId !== actor.agentId) throw notFound('agent')
    return [actor.agentId]
  }
  let query = tx.selectFrom('market.agents').select('id').where('owner_id', '=', actor.humanId)
  if (agentId !== undefined) query = query.where('id', '=', agentId)
  const own = await query.execute()
  if (agentId !== undefined && own.length === 0) throw notFound('agent')
  return own.map(({ id }) => id)
}
