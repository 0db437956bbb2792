import { sql } from 'kysely'
import { urn, urnString } from '../../protocol/urn.ts'
import type { Actor, CallContext } from '../context.ts'
import { audit } from '../db/audit.ts'
import type { Tx } from '../db/pool.ts'
import { notFound, Problem } from '../errors.ts'
import { requireFreshPasskey } from '../http/reAuth.ts'
import { actorUrn } from './actor.ts'
import { issueToken } from './issue.ts'
import { GUARDED_SCOPES } from './mint.ts'
import { reach } from './reach.ts'

/**
 * Replaces a token by one of the same account, scopes and end; the old one is good no more, but for repeating this very
 * call. Throws 404 for one that is not the caller's to manage, and 403 where its secret would give the caller more than
 * they have.
 */
export async function rotateToken(tx: Tx, { actor, settings }: CallContext, tokenId: string) {
  const old = await tx
    .updateTable('market.tokens')
    .set({ revoked_at: sql`market.now()`, rotated_at: sql`market.now()` })
    .where('id', '=', tokenId)
    .where('revoked_at', 'is', null)
    .where(reach(actor))
    .returning(['human_id', 'agent_id', 'scopes', 'expires_at'])
    .executeTakeFirst()
  if (!old) throw notFound('token')
  if (tokenId !== actor.tokenId) requireNoGain(actor, old)
  if (tokenId !== actor.tokenId && old.scopes.some((scope) => GUARDED_SCOPES.includes(scope))) {
    requireFreshPasskey({ actor, settings }, { act: 'Rotating a token with withdraw or manage' })
  }
  const grant = { humanId: old.human_id, agentId: old.agent_id, scopes: old.scopes, expiresAt: old.expires_at }
  const { id, secret } = await issueToken(tx, actor.humanId, grant)
  const details = { replaced_by: urnString('token', id) }
  await audit(tx, { actor: actorUrn(actor), action: 'token.rotate', subject: urnString('token', tokenId), details })
  return { urn: urn('token', id), secret }
}

/** A secret is handed to whoever asks: of a token that reaches further than theirs, they may not have it. */
function requireNoGain(
  actor: Actor,
  { scopes, expires_at: end }: { scopes: readonly string[]; expires_at: Date | null },
): void {
  const missing = scopes.find((scope) => !actor.scopes.some((own) => own === scope))
  const ownEnd = actor.session ? null : actor.expiresAt
  if (missing === undefined && (ownEnd === null || (end !== null && end <= ownEnd))) return
  throw new Problem('auth/scope-insufficient', {
    detail: missing
      ? `That token has the scope ${missing}, and yours has not: revoke it instead.`
      : 'That token outlasts yours: revoke it instead.',
  })
}
