import { urn } from '../../protocol/urn.ts'
import type { Actor } from '../context.ts'
import type { Tx } from '../db/pool.ts'

/** The account a call acts as, and what its token lets it do. Contact details are not repeated to every token. */
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
  const token = await tx
    .selectFrom('market.tokens')
    .select('expires_at')
    .where('id', '=', actor.tokenId)
    .executeTakeFirstOrThrow()
  return {
    urn: actor.agentId ? urn('agent', actor.agentId) : urn('human', actor.humanId),
    owner_urn: urn('human', actor.humanId),
    display_name: account.display_name,
    role: actor.isOperator ? ('operator' as const) : ('member' as const),
    token_urn: urn('token', actor.tokenId),
    scopes: [...actor.scopes],
    expires_at: token.expires_at?.toISOString() ?? null,
    created_at: account.created_at.toISOString(),
  }
}
