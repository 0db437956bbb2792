import { sql } from 'kysely'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { CallContext } from '../../../context.ts'
import { notFound } from '../../../errors.ts'
import { announce } from '../../../platform/announcements/announce.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { AgentDeactivated } from '../../announcements.ts'
import { closeTickets } from '../closeTickets.ts'
import type { AgentRow } from './agents.ts'

/**
 * Deactivates an agent permanently: revokes its tokens, closes its tickets, and announces AgentDeactivated.
 * Its orders continue; its human acts in them as the agent (Market-Agent). A second call changes nothing.
 * Throws 404 for an agent of another human.
 */
export async function deactivateAgent(
  tx: Tx,
  { actor: { humanId }, settings }: Pick<CallContext, 'actor' | 'settings'>,
  agentId: string,
): Promise<AgentRow> {
  // Waits for any transaction that is creating a token or an ask for the agent: such a transaction locks this
  // row.
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
  await announce(tx, settings, AgentDeactivated, { agentId })
  const actor = urnString('human', humanId)
  await audit(tx, { actor, action: 'agent.deactivate', subject: urnString('agent', agentId) })
  return tx
    .updateTable('market.agents')
    .set({ deactivated_at: sql`market.now()` })
    .where('id', '=', agentId)
    .returningAll()
    .executeTakeFirstOrThrow()
}
