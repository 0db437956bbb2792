import { sql } from 'kysely'
import { notFound, Problem } from '../../../errors.ts'
import { lifecycle } from '../../../platform/db/lifecycle.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { type Member, requireAdmin } from '../../membership.ts'
import { recordChange } from '../../recordChange.ts'
import { tellWebhooksHeld } from '../../webhooks/tellStopped.ts'
import { agentEvents } from '../module.ts'
import { orgAgentProblems } from '../problems.ts'
import { findAgent, type OrgAgentRow } from './find.ts'
import { type AgentTransition, agentTransitions } from './states.ts'

const move = lifecycle('market.org_agents', 'state', agentTransitions)

/**
 * Pauses, resumes or revokes an agent in an org: its owner may, and owners and admins of the org. If an owner
 * or admin of the org paused an agent, the agent's owner cannot resume it. Its tokens stay, because only its
 * owner revokes them. Throws 404 for an agent of nobody here, 403, and 409 from another state.
 */
export async function changeAgent(
  tx: Tx,
  member: Member,
  agentId: string,
  name: AgentTransition,
): Promise<OrgAgentRow> {
  const { orgId, humanId } = member
  await enter(tx, member, agentId)
  const agent = await findAgent(tx, orgId, agentId)
  if (agent.owner_id !== humanId || (name === 'resume' && agent.changed_by !== humanId)) requireAdmin(member)
  const { from, to, event } = agentTransitions[name]
  const unchanged = sql<boolean>`org_id = ${orgId} and agent_id = ${agentId} and changed_by = ${agent.changed_by}`
  const moved = await move(tx, unchanged, name, { changed_by: humanId, changed_at: sql<Date>`market.now()` })
  if (moved.length === 0) {
    throw new Problem(orgAgentProblems.agentStateConflict, {
      detail: `This needs an agent that is ${from.join(' or ')}.`,
    })
  }
  await recordChange(tx, orgId, member, {
    type: agentEvents[event],
    entity: { id: agentId, short_id: null },
    spaceId: null,
  })
  if (to !== 'active') await tellWebhooksHeld(tx, orgId, { agentId })
  return findAgent(tx, orgId, agentId)
}

/** Adds a row for an agent that is in the org only because its owner is. Throws the uniform 404. */
async function enter(tx: Tx, { orgId }: Member, agentId: string): Promise<void> {
  const { rows } = await sql`
    with own as (
      select agent.id, agent.owner_id from market.agents agent
      join market.org_members member on member.human_id = agent.owner_id and member.org_id = ${orgId}
      where agent.id = ${agentId}),
    entered as (
      insert into market.org_agents (org_id, agent_id, state, changed_by)
      select ${orgId}, id, 'active', owner_id from own on conflict do nothing)
    select id from own union select agent_id from market.org_agents where org_id = ${orgId} and agent_id = ${agentId}
    `.execute(tx)
  if (rows.length === 0) throw notFound('agent')
}
