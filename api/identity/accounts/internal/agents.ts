import type { Selectable } from 'kysely'
import { urn } from '../../../../protocol/encoding/urn.ts'
import { notFound } from '../../../errors.ts'
import type { Database } from '../../../platform/db/generated/tables.ts'
import type { Tx } from '../../../platform/db/pool.ts'

export type AgentRow = Selectable<Database['market.agents']>

/** Lists a human's agents, including deactivated ones, newest first, starting below an id. */
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

/** Returns the public form of an agent. Throws the uniform 404 if there is none. */
export async function readPublicAgent(tx: Tx, agentId: string) {
  const row = await tx
    .selectFrom('market.agents')
    .selectAll()
    .where('id', '=', agentId)
    .executeTakeFirstOrThrow(() => notFound('agent'))
  const { owner_urn: _, ...shown } = toAgent(row)
  return shown
}

/** Returns an agent in its wire form. */
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
