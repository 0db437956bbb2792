import { sql } from 'kysely'
import { urn, urnString } from '../../../../protocol/encoding/urn.ts'
import { Problem } from '../../../errors.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { hashSecret } from '../../authentication/credential.ts'
import { issueToken } from '../../tokens/mint.ts'
import { readLimit, wireLimit } from '../../tokens/spendLimit.ts'
import { ticketProblems } from '../problems.ts'

/**
 * Exchanges a ticket, once, for a token with the grant that the agent's human fixed. Throws the same
 * auth/ticket-invalid for a ticket that is unknown, exchanged, revoked, replaced or expired.
 */
export async function exchangeTicket(tx: Tx, secret: string) {
  const ticket = await tx
    .updateTable('market.agent_tickets')
    .set({ closed_at: sql`market.now()` })
    .where('secret_hash', '=', hashSecret(secret))
    .where('closed_at', 'is', null)
    .where('expires_at', '>', sql<Date>`market.now()`)
    .returning(['id', 'agent_id', 'human_id', 'scopes', 'token_expires_at', 'per_order_micros', 'per_day_micros'])
    .executeTakeFirstOrThrow(
      () =>
        new Problem(ticketProblems.ticketInvalid, {
          detail: 'The ticket is unknown, expired, used, replaced or revoked. Ask your human for another.',
          field: 'ticket',
        }),
    )
  const { agent_id: agentId, human_id: humanId, scopes, token_expires_at: expiresAt } = ticket
  const spendLimit = readLimit(ticket)
  const token = await issueToken(tx, humanId, { humanId, agentId, scopes, expiresAt, spendLimit })
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
    spend_limit: wireLimit(spendLimit),
  }
}
