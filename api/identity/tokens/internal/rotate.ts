import { sql } from 'kysely'
import { urn, urnString } from '../../../../protocol/encoding/urn.ts'
import { accountUrn } from '../../../actor.ts'
import type { Actor, CallContext } from '../../../context.ts'
import { groundProblems, notFound, Problem } from '../../../errors.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { requireFreshPasskey } from '../../authentication/freshPasskey.ts'
import { GUARDED_SCOPES, issueToken } from '../mint.ts'
import { readLimit, requireNoLimit } from '../spendLimit.ts'
import { reach } from './reach.ts'

/**
 * Replaces a token by one with the same account, scopes, expiry, spend limit and spending so far. The old
 * token becomes invalid, except for repeating this same call. Throws 404 if the caller may not manage the
 * token, and 403 if its secret would give the caller more than they have.
 */
export async function rotateToken(tx: Tx, { actor, settings }: CallContext, tokenId: string) {
  const old = await tx
    .updateTable('market.tokens')
    .set({ revoked_at: sql`market.now()`, rotated_at: sql`market.now()` })
    .where('id', '=', tokenId)
    .where('revoked_at', 'is', null)
    .where(reach(actor))
    .returning(['human_id', 'agent_id', 'scopes', 'expires_at', 'per_order_micros', 'per_day_micros', 'spending_id'])
    .executeTakeFirst()
  if (!old) throw notFound('token')
  if (tokenId !== actor.tokenId) {
    requireNoGain(actor, old)
    if (old.scopes.includes('transact')) await requireNoLimit(tx, actor, 'replaces no other that may transact')
  }
  if (tokenId !== actor.tokenId && old.scopes.some((scope) => GUARDED_SCOPES.includes(scope))) {
    requireFreshPasskey({ actor, settings }, { act: 'Rotating a token with withdraw or manage' })
  }
  const { id, secret } = await issueToken(tx, actor.humanId, {
    humanId: old.human_id,
    agentId: old.agent_id,
    scopes: old.scopes,
    expiresAt: old.expires_at,
    spendLimit: readLimit(old),
    spendingId: old.spending_id,
  })
  const details = { replaced_by: urnString('token', id) }
  await audit(tx, { actor: accountUrn(actor), action: 'token.rotate', subject: urnString('token', tokenId), details })
  return { urn: urn('token', id), secret }
}

/**
 * The response contains the new secret, so the caller must not rotate a token that allows more than their
 * own.
 */
function requireNoGain(
  actor: Actor,
  { scopes, expires_at: end }: { scopes: readonly string[]; expires_at: Date | null },
): void {
  const missing = scopes.find((scope) => !actor.scopes.some((own) => own === scope))
  const ownEnd = actor.session ? null : actor.expiresAt
  if (missing === undefined && (ownEnd === null || (end !== null && end <= ownEnd))) return
  throw new Problem(groundProblems.scopeInsufficient, {
    detail: missing
      ? `That token has the scope ${missing}, which yours lacks. Revoke it instead.`
      : 'That token is valid longer than yours. Revoke it instead.',
  })
}
