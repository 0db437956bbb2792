import { sql } from 'kysely'
import { urnString } from '../../protocol/urn.ts'
import { endOffers } from '../bids/end.ts'
import type { Actor } from '../context.ts'
import { audit } from '../db/audit.ts'
import type { Tx } from '../db/pool.ts'
import { notFound } from '../errors.ts'
import { closeTickets } from '../tickets/close.ts'
import type { AgentRow } from './agents.ts'

/**
 * Ends an agent, for good: its tokens and tickets are worth nothing at once, and what it offers is off the market,
 * its bids and quotes too. The orders it has go on; its human acts in them as the agent (Market-Agent). Once more has no
 * further effect. Throws 404 for others' agents.
 */
export async function deactivateAgent(tx: Tx, { humanId }: Actor, agentId: string): Promise<AgentRow> {
  // Whoever is at giving it a token or an ask holds its row: that is waited for, and then seen below.
  const agent = await tx
    .selectFrom('market.agents')
    .selectAll()
    .where('id', '=', agentId)
    .where('owner_id', '=', humanId)
    .forUpdate()
    .executeTakeFirstOrThrow(() => notFound('agent'))
  if (agent.deactivated_at) return agent
  await sql`update market.tokens set revoked_at = market.now()
    where agent_id = ${agentId} and revoked_at is null`.execute(tx)
  await closeTickets(tx, { agentId })
  await sql`update market.asks set active = false, updated_at = market.now()
    where seller_id = ${agentId} and active`.execute(tx)
  await endOffers(tx, agentId)
  const actor = urnString('human', humanId)
  await audit(tx, { actor, action: 'agent.deactivate', subject: urnString('agent', agentId) })
  return tx
    .updateTable('market.agents')
    .set({ deactivated_at: sql`market.now()` })
    .where('id', '=', agentId)
    .returningAll()
    .executeTakeFirstOrThrow()
}
