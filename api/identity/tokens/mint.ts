import { randomBytes } from 'node:crypto'
import { newId } from '../../../protocol/encoding/ids.ts'
import { urn, urnString } from '../../../protocol/encoding/urn.ts'
import type { CallContext } from '../../context.ts'
import { groundProblems, Problem } from '../../errors.ts'
import { audit } from '../../platform/audit/audit.ts'
import { readClock } from '../../platform/db/clock.ts'
import type { Scope } from '../../platform/db/generated/tables.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { httpProblems } from '../../platform/http/serve/problems.ts'
import { holdActiveAgent } from '../accounts/owner.ts'
import { hashSecret } from '../authentication/credential.ts'
import { requireFreshPasskey } from '../authentication/freshPasskey.ts'
import { limitColumns, requireNoLimit, type SpendLimit, wireLimit } from './spendLimit.ts'

/**
 * Scopes that need a fresh passkey to be granted, because they allow more than the token that requests them.
 */
export const GUARDED_SCOPES: readonly Scope[] = ['withdraw', 'manage']

/**
 * The requested token: its account, scopes, spend limit, and its expiry, which defaults to that of the
 * requesting token.
 */
export interface MintRequest extends Grant {
  owner: { kind: 'agent' | 'human'; id: string }
}

/**
 * Creates a token for an account of the caller. Throws auth/forbidden for other accounts, agents/deactivated
 * for a deactivated agent, and the errors of requireGrantable.
 */
export async function mintToken(tx: Tx, { actor, settings }: CallContext, request: MintRequest) {
  const owner = await resolveOwner(tx, { actor, settings }, request.owner)
  const expiresAt = await requireGrantable(tx, { actor, settings }, request)
  const { scopes, spendLimit } = request
  const { id, secret } = await issueToken(tx, actor.humanId, { ...owner, scopes, expiresAt, spendLimit })
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
    // Outside a sandbox a human gets their first token with their passkey.
    if (settings.sandbox && (await isMaker(tx, actor, owner.id))) return { humanId: owner.id, agentId: null }
  }
  throw new Problem(groundProblems.forbidden, {
    detail: 'You can mint tokens only for yourself and for your agents.',
    field: 'owner_urn',
  })
}

async function isMaker(tx: Tx, actor: CallContext['actor'], humanId: string): Promise<boolean> {
  const human = await tx.selectFrom('market.humans').select('created_by').where('id', '=', humanId).executeTakeFirst()
  return human !== undefined && (actor.isOperator || human.created_by === actor.humanId)
}

/**
 * The scopes to grant to an account, their expiry, at most that of the granting credential, and the spend
 * limit.
 */
export interface Grant {
  scopes: readonly Scope[]
  expiresAt: Date | undefined
  spendLimit: SpendLimit
}

/**
 * Returns the expiry of a grant that the caller may make. Throws auth/scope-insufficient or request/invalid
 * for a scope or an expiry beyond the caller's own, auth/forbidden for `transact` from a token with a spend
 * limit, and re_auth_required for scopes that need a passkey.
 */
export async function requireGrantable(
  tx: Tx,
  { actor, settings }: Pick<CallContext, 'actor' | 'settings'>,
  { scopes, expiresAt }: Grant,
): Promise<Date | null> {
  const missing = scopes.find((scope) => !actor.scopes.includes(scope))
  if (missing) {
    throw new Problem(groundProblems.scopeInsufficient, {
      detail: `Your token lacks the scope ${missing}, so it cannot grant it.`,
      field: 'scopes',
    })
  }
  if (scopes.includes('transact')) await requireNoLimit(tx, actor, 'grants no transact', 'scopes')
  // A session only shows that the human is present; the token that they grant may outlast it.
  const end = await resolveExpiry(tx, actor.session ? null : actor.expiresAt, expiresAt)
  if (scopes.some((scope) => GUARDED_SCOPES.includes(scope))) {
    requireFreshPasskey({ actor, settings }, { act: 'Granting withdraw or manage', field: 'scopes' })
  }
  return end
}

async function resolveExpiry(tx: Tx, own: Date | null, asked: Date | undefined): Promise<Date | null> {
  if (asked === undefined) return own
  if (asked <= (await readClock(tx)) || (own && asked > own)) {
    throw new Problem(httpProblems.invalid, {
      detail: 'expires_at: must be in the future and not after the end of your own token.',
      field: 'expires_at',
    })
  }
  return asked
}

const SECRET_BYTES = 32

/** A token's account, scopes, expiry and spend limit. */
export interface TokenGrant {
  humanId: string
  agentId: string | null
  scopes: readonly Scope[]
  expiresAt: Date | null
  spendLimit: SpendLimit
  /** The id that its spending is counted under, if it continues the count of another token. */
  spendingId?: string
}

/** Creates a token and stores only its hash. The caller must have checked that it may be granted. */
export async function issueToken(
  tx: Tx,
  byHumanId: string,
  grant: TokenGrant,
): Promise<{ id: string; secret: string }> {
  const secret = `market_pat_${randomBytes(SECRET_BYTES).toString('base64url')}`
  const id = newId()
  await tx
    .insertInto('market.tokens')
    .values({
      id,
      human_id: grant.humanId,
      agent_id: grant.agentId,
      secret_hash: hashSecret(secret),
      scopes: [...grant.scopes],
      expires_at: grant.expiresAt,
      ...limitColumns(grant.spendLimit),
      ...(grant.spendingId === undefined ? {} : { spending_id: grant.spendingId }),
    })
    .execute()
  await audit(tx, {
    actor: urnString('human', byHumanId),
    action: 'token.mint',
    subject: urnString('token', id),
    details: {
      account: grant.agentId ? urnString('agent', grant.agentId) : urnString('human', grant.humanId),
      scopes: grant.scopes,
      spend_limit: wireLimit(grant.spendLimit),
    },
  })
  return { id, secret }
}
