import { notFound, Problem } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import type { Member } from '../../membership.ts'
import { recordChange } from '../../recordChange.ts'
import { agentEvents } from '../module.ts'
import { orgAgentProblems } from '../problems.ts'
import { findAgent, type OrgAgentRow } from './find.ts'

/**
 * Makes an agent of the caller's a member of the org. Throws 404 for somebody else's agent, and 409 if it is
 * a member already.
 */
export async function addAgent(tx: Tx, member: Member, agentId: string): Promise<OrgAgentRow> {
  const { orgId, humanId } = member
  const own = await tx
    .selectFrom('market.agents')
    .select('id')
    .where('id', '=', agentId)
    .where('owner_id', '=', humanId)
    .where('deactivated_at', 'is', null)
    .executeTakeFirst()
  if (!own) throw notFound('agent')
  const added = await tx
    .insertInto('market.org_agents')
    .values({ org_id: orgId, agent_id: agentId, state: 'active', changed_by: humanId })
    .onConflict((conflict) => conflict.doNothing())
    .returning('agent_id')
    .executeTakeFirst()
  if (!added) {
    throw new Problem(orgAgentProblems.agentExists, {
      detail: 'The agent is or was a member of the org.',
      field: 'agent_urn',
    })
  }
  await recordChange(tx, orgId, member, {
    type: agentEvents['agent.created'],
    entity: { id: agentId, short_id: null },
    spaceId: null,
  })
  return findAgent(tx, orgId, agentId)
}
