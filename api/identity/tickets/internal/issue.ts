import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { newId } from '../../../../protocol/encoding/ids.ts'
import { urn, urnString } from '../../../../protocol/encoding/urn.ts'
import type { CallContext } from '../../../context.ts'
import { notFound } from '../../../errors.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { closeTickets } from '../../accounts/closeTickets.ts'
import { holdActiveAgent } from '../../accounts/owner.ts'
import { hashSecret } from '../../authentication/credential.ts'
import { type Grant, requireGrantable } from '../../tokens/mint.ts'
import { limitColumns, wireLimit } from '../../tokens/spendLimit.ts'

const SECRET_BYTES = 32

/**
 * Creates a ticket that an agent of the caller exchanges for a token with this grant, and stores only its
 * hash. An earlier ticket of the agent becomes invalid. Throws 404 for an agent of another human,
 * agents/deactivated, and the errors of requireGrantable.
 */
export async function issueTicket(tx: Tx, call: CallContext, agentId: string, grant: Grant) {
  const { actor, settings } = call
  if (!(await holdActiveAgent(tx, actor.humanId, agentId))) throw notFound('agent')
  const tokenExpiresAt = await requireGrantable(tx, call, grant)
  await closeTickets(tx, { agentId })
  const ticket = `market_ticket_${randomBytes(SECRET_BYTES).toString('base64url')}`
  const { id, expires_at: expiresAt } = await tx
    .insertInto('market.agent_tickets')
    .values({
      id: newId(),
      agent_id: agentId,
      human_id: actor.humanId,
      secret_hash: hashSecret(ticket),
      scopes: [...grant.scopes],
      token_expires_at: tokenExpiresAt,
      ...limitColumns(grant.spendLimit),
      expires_at: sql<Date>`market.now() + make_interval(secs => ${settings.rules.ticketSeconds})`,
    })
    .returning(['id', 'expires_at'])
    .executeTakeFirstOrThrow()
  await audit(tx, {
    actor: urnString('human', actor.humanId),
    action: 'ticket.issue',
    subject: urnString('ticket', id),
    details: { agent: urnString('agent', agentId), scopes: grant.scopes, spend_limit: wireLimit(grant.spendLimit) },
  })
  return {
    urn: urn('ticket', id),
    agent_urn: urn('agent', agentId),
    ticket,
    scopes: [...grant.scopes],
    spend_limit: wireLimit(grant.spendLimit),
    expires_at: expiresAt.toISOString(),
  }
}
