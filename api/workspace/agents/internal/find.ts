import { urn } from '../../../../protocol/encoding/urn.ts'
import { notFound } from '../../../errors.ts'
import type { OrgAgentState } from '../../../platform/db/generated/tables.ts'
import type { Tx } from '../../../platform/db/pool.ts'

/** An agent as a member of an org. */
export interface OrgAgentRow {
  /** The agent's. */
  id: string
  owner_id: string
  display_name: string
  state: OrgAgentState
  changed_by: string
  added_at: Date
  changed_at: Date
}

/** Lists the agents that are members of an org, newest first, starting below an id. */
export async function listAgentRows(
  tx: Tx,
  orgId: string,
  { from, limit }: { from: string | undefined; limit: number },
): Promise<OrgAgentRow[]> {
  let query = selectAgents(tx, orgId)
  if (from !== undefined) query = query.where('own.agent_id', '<', from)
  return query.orderBy('own.agent_id', 'desc').limit(limit).execute()
}

/** Returns an agent that is a member of an org. Throws the uniform 404. */
export async function findAgent(tx: Tx, orgId: string, agentId: string): Promise<OrgAgentRow> {
  const row = await selectAgents(tx, orgId).where('own.agent_id', '=', agentId).executeTakeFirst()
  if (row) return row
  throw notFound('agent')
}

function selectAgents(tx: Tx, orgId: string) {
  return tx
    .selectFrom('market.org_agents as own')
    .innerJoin('market.agents as agent', 'agent.id', 'own.agent_id')
    .select(['agent.id', 'agent.owner_id', 'agent.display_name'])
    .select(['own.state', 'own.changed_by', 'own.added_at', 'own.changed_at'])
    .where('own.org_id', '=', orgId)
}

/** Returns an agent of an org in its wire form. */
export function toOrgAgent({ id, owner_id, display_name, state, added_at, changed_at }: OrgAgentRow) {
  const times = { added_at: added_at.toISOString(), changed_at: changed_at.toISOString() }
  return { agent_urn: urn('agent', id), owner_urn: urn('human', owner_id), display_name, state, ...times }
}
