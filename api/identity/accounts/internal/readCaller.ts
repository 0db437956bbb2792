import { urn } from '../../../../protocol/encoding/urn.ts'
import type { Actor } from '../../../context.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { findEraseAt } from '../eraseAt.ts'

interface Account {
  display_name: string
  email?: string
  created_at: Date
}

/**
 * Returns the account a call acts as, and what its token or session allows. The e-mail address is shown only
 * to the person, not to their agents.
 */
export async function readCaller(tx: Tx, actor: Actor) {
  const account: Account = actor.agentId
    ? await tx
        .selectFrom('market.agents')
        .select(['display_name', 'created_at'])
        .where('id', '=', actor.agentId)
        .executeTakeFirstOrThrow()
    : await tx
        .selectFrom('market.humans')
        .select(['display_name', 'email', 'created_at'])
        .where('id', '=', actor.humanId)
        .executeTakeFirstOrThrow()
  const eraseAt = actor.agentId ? null : await findEraseAt(tx, actor.humanId)
  return {
    urn: actor.agentId ? urn('agent', actor.agentId) : urn('human', actor.humanId),
    owner_urn: urn('human', actor.humanId),
    display_name: account.display_name,
    email: account.email ?? null,
    role: actor.isOperator ? ('operator' as const) : ('member' as const),
    token_urn: actor.session ? null : urn('token', actor.tokenId),
    session_urn: actor.session ? urn('session', actor.tokenId) : null,
    scopes: [...actor.scopes],
    expires_at: actor.expiresAt?.toISOString() ?? null,
    created_at: account.created_at.toISOString(),
    erase_at: eraseAt?.toISOString() ?? null,
  }
}
