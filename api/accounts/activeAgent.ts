import type { Tx } from '../db/pool.ts'
import { Problem } from '../errors.ts'

/**
 * The id of a human's agent, undefined where it is not theirs. Throws agents/deactivated for one that has ended. Held
 * until the transaction ends: what it begins and its deactivation cannot pass each other.
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

/** The answer to what a deactivated agent can no longer begin. */
export function deactivated(): Problem {
  return new Problem('agents/deactivated', {
    detail: 'This agent has been deactivated: it finishes the orders it has, and begins nothing.',
  })
}
