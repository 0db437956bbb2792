import { sql } from 'kysely'
import type { Tx } from '../../platform/db/pool.ts'

/** Invalidates the open tickets of an agent, or of all of a human's agents. */
export async function closeTickets(tx: Tx, of: { agentId: string } | { humanId: string }): Promise<void> {
  const owned = 'agentId' in of ? sql`agent_id = ${of.agentId}` : sql`human_id = ${of.humanId}`
  await sql`update market.agent_tickets set closed_at = market.now() where closed_at is null and ${owned}`.execute(tx)
}
