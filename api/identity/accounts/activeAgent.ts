import { Problem } from '../../errors.ts'
import type { Tx } from '../../platform/db/pool.ts'

/**
 * Returns the id of a human's agent, or undefined if it is not theirs, and locks the agent until the transaction ends,
 * so that it cannot be deactivated while the caller begins something for it. Throws agents/deactivated if it already
 * is.
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

/** The error for anything a deactivated agent may not begin. */
export function deactivated(): Problem {
  return new Problem('agents/deactivated', {
    detail: 'This agent has been deactivated: it finishes the orders it has, and begins nothing.',
  })
}
