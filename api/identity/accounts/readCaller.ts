import { urn } from '../../../protocol/encoding/urn.ts'
import type { Actor } from '../../context.ts'
import type { Tx } from '../../platform/db/pool.ts'

/**
 * Returns the account a call acts as, and what its token or session allows. Contact details are left out, because every
 * token could read them.
 */
export async function readCaller(tx: Tx, actor: Actor) {
  const account = actor.agentId
    ? await tx
        .selectFrom('market.agents')
        .select(['display_name', 'created_at'])
        .where('id', '=', actor.agentId)
        .executeTakeFirstOrThrow()
    : await tx
        .selectFrom('market.humans')
        .select(['display_name', 'created_at'])
        .where('id', '=', actor.humanId)
        .executeTakeFirstOrThrow()
  return {
    urn: actor.agentId ? urn('agent', actor.agentId) : urn('human', actor.humanId),
    owner_urn: urn('human', actor.humanId),
    display_name: account.display_name,
    role: actor.isOperator ? ('operator' as const) : ('member' as const),
    token_urn: actor.session ? null : urn('token', actor.tokenId),
    session_urn: actor.session ? urn('session', actor.tokenId) : null,
    scopes: [...actor.scopes],
    expires_at: actor.expiresAt?.toISOString() ?? null,
    created_at: account.created_at.toISOString(),
  }
}
