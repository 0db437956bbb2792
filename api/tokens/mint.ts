import { urn } from '../../protocol/urn.ts'
import { holdActiveAgent } from '../accounts/activeAgent.ts'
import type { CallContext } from '../context.ts'
import { readClock } from '../db/clock.ts'
import type { Tx } from '../db/pool.ts'
import type { Scope } from '../db/schema/accounts.ts'
import { Problem } from '../errors.ts'
import { requireFreshPasskey } from '../http/reAuth.ts'
import { issueToken } from './issue.ts'

/** What these reach is worth more than the token that asks for them: granting them needs a passkey. */
export const GUARDED_SCOPES: readonly Scope[] = ['withdraw', 'manage']

/** What is asked for: a token of this account, with these scopes, until then or until the asking token's own end. */
export interface MintRequest extends Grant {
  owner: { kind: 'agent' | 'human'; id: string }
}

/**
 * Mints a token for an account of the caller's. Throws auth/forbidden for others' accounts, agents/deactivated for an
 * agent that has ended, and what requireGrantable throws.
 */
export async function mintToken(tx: Tx, { actor, settings }: CallContext, request: MintRequest) {
  const owner = await resolveOwner(tx, { actor, settings }, request.owner)
  const expiresAt = await requireGrantable(tx, { actor, settings }, request)
  const { id, secret } = await issueToken(tx, actor.humanId, { ...owner, scopes: request.scopes, expiresAt })
  return { urn: urn('token', id), secret }
}

async function resolveOwner(
  tx: Tx,
  { actor, settings }: Pick<CallContext, 'actor' | 'settings'>,
  owner: MintRequest['owner'],
): Promise<{ humanId: string; agentId: string | null }> {
  if (owner.kind === 'agent') {
    const agentId = await holdActiveAgent(tx, actor.humanId, owner.id)
    if (agentId) return { humanId: actor.humanId, agentId }
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

/** What somebody would let an account do, and until when: at most until their own end. */
export interface Grant {
  scopes: readonly Scope[]
  expiresAt: Date | undefined
}

/**
 * The end of a grant that the caller may give. Throws auth/scope-insufficient or request/invalid for a scope or an end
 * beyond their own, and re_auth_required for scopes that need a passkey.
 */
export async function requireGrantable(
  tx: Tx,
  { actor, settings }: Pick<CallContext, 'actor' | 'settings'>,
  { scopes, expiresAt }: Grant,
): Promise<Date | null> {
  const missing = scopes.find((scope) => !actor.scopes.includes(scope))
  if (missing) {
    throw new Problem('auth/scope-insufficient', {
      detail: `Your token lacks the scope ${missing}: nobody can grant more than they have.`,
      field: 'scopes',
    })
  }
  // A session is how a human is here just now. What they grant does not end with it.
  const end = await resolveExpiry(tx, actor.session ? null : actor.expiresAt, expiresAt)
  if (scopes.some((scope) => GUARDED_SCOPES.includes(scope))) {
    requireFreshPasskey({ actor, settings }, { act: 'Granting withdraw or manage', field: 'scopes' })
  }
  return end
}

async function resolveExpiry(tx: Tx, own: Date | null, asked: Date | undefined): Promise<Date | null> {
  if (asked === undefined) return own
  if (asked <= (await readClock(tx)) || (own && asked > own)) {
    throw new Problem('request/invalid', {
      detail: 'expires_at: must be in the future and not after the end of your own token.',
      field: 'expires_at',
    })
  }
  return asked
}
