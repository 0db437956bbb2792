import type { Selectable } from 'kysely'
import { urn } from '../../protocol/urn.ts'
import type { Tx } from '../db/pool.ts'
import type { Database } from '../db/schema.ts'

export type AgentRow = Selectable<Database['market.agents']>

/** A human's agents, deactivated ones too, newest first, from below an id on. */
export async function listAgentRows(
  tx: Tx,
  humanId: string,
  page: { from: string | undefined; limit: number },
): Promise<AgentRow[]> {
  let query = tx
    .selectFrom('market.agents')
    .selectAll()
    .where('owner_id', '=', humanId)
    .orderBy('id', 'desc')
    .limit(page.limit)
  if (page.from) query = query.where('id', '<', page.from)
  return query.execute()
}

/** An agent as it travels. */
export function toAgent(row: AgentRow) {
  return {
    urn: urn('agent', row.id),
    owner_urn: urn('human', row.owner_id),
    display_name: row.display_name,
    description: row.description,
    created_at: row.created_at.toISOString(),
    deactivated_at: row.deactivated_at?.toISOString() ?? null,
  }
}
