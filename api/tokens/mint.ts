import { sql } from 'kysely'
import { urn } from '../../protocol/urn.ts'
import type { CallContext } from '../context.ts'
import type { Tx } from '../db/pool.ts'
import type { Scope } from '../db/schema.ts'
import { Problem } from '../errors.ts'
import { issueToken } from './issue.ts'

/** What these reach is worth more than the token that asks for them: granting them needs a passkey. */
export const GUARDED_SCOPES: readonly Scope[] = ['withdraw', 'manage']

/** What is asked for: a token of this account, with these scopes, until then or until the asking token's own end. */
export interface MintRequest {
  owner: { kind: 'agent' | 'human'; id: string }
  scopes: readonly Scope[]
  expiresAt: Date | undefined
}

/**
 * Mints a token for an account of the caller's. Throws auth/forbidden for others' accounts, auth/scope-insufficient or
 * request/invalid for a scope or an end beyond the caller's own, and re_auth_required for scopes that need a passkey.
 */
export async function mintToken(tx: Tx, { actor, settings }: CallContext, request: MintRequest) {
  const missing = request.scopes.find((scope) => !actor.scopes.includes(scope))
  if (missing) {
    throw new Problem('auth/scope-insufficient', {
      detail: `Your token lacks the scope ${missing}: nobody can grant more than they have.`,
      field: 'scopes',
    })
  }
  const owner = await resolveOwner(tx, { actor, settings }, request.owner)
  const expiresAt = await resolveExpiry(tx, actor.tokenId, request.expiresAt)
  if (!settings.sandbox && request.scopes.some((scope) => GUARDED_SCOPES.includes(scope))) {
    throw new Problem('re_auth_required', {
      detail: 'Granting withdraw or manage needs a fresh passkey assertion.',
      field: 'scopes',
    })
  }
  const { id, secret } = await issueToken(tx, actor.humanId, { ...owner, scopes: request.scopes, expiresAt })
  return { urn: urn('token', id), secret }
}

async function resolveOwner(
  tx: Tx,
  { actor, settings }: Pick<CallContext, 'actor' | 'settings'>,
  owner: MintRequest['owner'],
): Promise<{ humanId: string; agentId: string | null }> {
  if (owner.kind === 'agent') {
    const agent = await tx.selectFrom('market.agents').select('owner_id').where('id', '=', owner.id).executeTakeFirst()
    if (agent?.owner_id === actor.humanId) return { humanId: actor.humanId, agentId: owner.id }
  } else {
    if (owner.id === actor.humanId) return { humanId: actor.humanId, agentId: null }
    // Outside a sandbox a human's first token comes with their passkey.
    if (settings.sandbox && (await isMaker(tx, actor, owner.id))) return { humanId: owner.id, agentId: null }
  }
  throw new Problem('auth/forbidden', {
    detail: 'You can mint tokens for yourself and for agents of yours.',
    field: 'owner_urn',
  })
}

async function isMaker(tx: Tx, actor: CallContext['actor'], humanId: string): Promise<boolean> {
  const human = await tx.selectFrom('market.humans').select('created_by').where('id', '=', humanId).executeTakeFirst()
  return human !== undefined && (actor.isOperator || human.created_by === actor.humanId)
}

async function resolveExpiry(tx: Tx, tokenId: string, asked: Date | undefined): Promise<Date | null> {
  const own = await tx
    .selectFrom('market.tokens')
    .select(['expires_at', sql<boolean>`${asked ?? null}::timestamptz <= market.now()`.as('is_past')])
    .where('id', '=', tokenId)
    .executeTakeFirstOrThrow()
  if (asked === undefined) return own.expires_at
  if (own.is_past || (own.expires_at && asked > own.expires_at)) {
    throw new Problem('request/invalid', {
      detail: 'expires_at: must be in the future and not after the end of your own token.',
      field: 'expires_at',
    })
  }
  return asked
}
