import { sql } from 'kysely'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { Actor } from '../../../context.ts'
import { notFound } from '../../../errors.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Tx } from '../../../platform/db/pool.ts'

/**
 * Invalidates one ticket of the caller. Throws 404 for a ticket of another human, and for one that is already
 * closed.
 */
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
