import type { Tx } from '../../platform/db/pool.ts'

/** Returns the id of the human who owns an agent. */
export async function readOwner(tx: Tx, agentId: string): Promise<string> {
  const agent = tx.selectFrom('market.agents').select('owner_id').where('id', '=', agentId)
  return (await agent.executeTakeFirstOrThrow()).owner_id
}
