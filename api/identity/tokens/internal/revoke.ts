import { sql } from 'kysely'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { accountUrn } from '../../../actor.ts'
import type { Actor } from '../../../context.ts'
import { notFound } from '../../../errors.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { closeTickets } from '../../accounts/closeTickets.ts'
import { reach } from './reach.ts'

/** Revokes one token. Throws 404 if the caller may not manage it, or it is no longer valid. */
export async function revokeToken(tx: Tx, actor: Actor, tokenId: string): Promise<void> {
  const revoked = await tx
    .updateTable('market.tokens')
    .set({ revoked_at: sql`market.now()` })
    .where('id', '=', tokenId)
    .where('revoked_at', 'is', null)
    .where(reach(actor))
    .returning('id')
    .execute()
  if (revoked.length === 0) throw notFound('token')
  await tell(tx, actor, revoked)
}

/**
 * Revokes every token and ticket of the caller's account, and for a human those of their agents. Returns how
 * many tokens there were.
 */
export async function revokeAllTokens(tx: Tx, actor: Actor): Promise<number> {
  // A rotation locks the human's row. Waiting for it makes the token it creates visible to the statement
  // below.
  await tx.selectFrom('market.humans').select('id').where('id', '=', actor.humanId).forUpdate().execute()
  await closeTickets(tx, actor.agentId === null ? { humanId: actor.humanId } : { agentId: actor.agentId })
  const revoked = await tx
    .updateTable('market.tokens')
    .set({ revoked_at: sql`market.now()` })
    .where('revoked_at', 'is', null)
    .where(reach(actor))
    .returning('id')
    .execute()
  await tell(tx, actor, revoked)
  return revoked.length
}

async function tell(tx: Tx, actor: Actor, revoked: readonly { id: string }[]): Promise<void> {
  for (const { id } of revoked)
    await audit(tx, { actor: accountUrn(actor), action: 'token.revoke', subject: urnString('token', id) })
}
