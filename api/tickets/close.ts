import { sql } from 'kysely'
import { urnString } from '../../protocol/urn.ts'
import type { Actor } from '../context.ts'
import { audit } from '../db/audit.ts'
import type { Tx } from '../db/pool.ts'
import { notFound } from '../errors.ts'

/** Makes the open tickets of an agent, or of all of a human's, good for nothing. */
export async function closeTickets(tx: Tx, of: { agentId: string } | { humanId: string }): Promise<void> {
  const owned = 'agentId' in of ? sql`agent_id = ${of.agentId}` : sql`human_id = ${of.humanId}`
  await sql`update market.agent_tickets set closed_at = market.now() where closed_at is null and ${owned}`.execute(tx)
}

/** Makes one ticket of the caller's good for nothing. Throws 404 for others', and for one that was closed before. */
export async function revokeTicket(tx: Tx, { humanId }: Actor, ticketId: string): Promise<void> {
  await tx
    .updateTable('market.agent_tickets')
    .set({ closed_at: sql`market.now()` })
    .where('id', '=', ticketId)
    .where('human_id', '=', humanId)
    .where('closed_at', 'is', null)
    .returning('id')
    .executeTakeFirstOrThrow(() => notFound('ticket'))
  const actor = urnString('human', humanId)
  await audit(tx, { actor, action: 'ticket.revoke', subject: urnString('ticket', ticketId) })
}
