import { sql } from 'kysely'
import { urn, urnString } from '../../protocol/urn.ts'
import { audit } from '../db/audit.ts'
import type { Tx } from '../db/pool.ts'
import { Problem } from '../errors.ts'
import { hashSecret } from '../http/credential.ts'
import { issueToken } from '../tokens/issue.ts'

/**
 * Gives an agent the token its human has fixed, once. Throws auth/ticket-invalid for what is no ticket, was exchanged,
 * revoked or replaced, or is too old, all told alike.
 */
export async function exchangeTicket(tx: Tx, secret: string) {
  const ticket = await tx
    .updateTable('market.agent_tickets')
    .set({ closed_at: sql`market.now()` })
    .where('secret_hash', '=', hashSecret(secret))
    .where('closed_at', 'is', null)
    .where('expires_at', '>', sql<Date>`market.now()`)
    .returning(['id', 'agent_id', 'human_id', 'scopes', 'token_expires_at'])
    .executeTakeFirstOrThrow(
      () =>
        new Problem('auth/ticket-invalid', {
          detail:
            'This is no ticket, or it was used, replaced or revoked, or it is too old. Ask your human for another.',
          field: 'ticket',
        }),
    )
  const { agent_id: agentId, human_id: humanId, scopes, token_expires_at: expiresAt } = ticket
  const token = await issueToken(tx, humanId, { humanId, agentId, scopes, expiresAt })
  await audit(tx, {
    actor: urnString('agent', agentId),
    action: 'ticket.exchange',
    subject: urnString('ticket', ticket.id),
    details: { token: urnString('token', token.id) },
  })
  return {
    urn: urn('token', token.id),
    secret: token.secret,
    agent_urn: urn('agent', agentId),
    scopes,
    expires_at: expiresAt?.toISOString() ?? null,
  }
}
