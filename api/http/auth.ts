import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { parseUrn } from '../../protocol/urn.ts'
import type { Actor } from '../context.ts'
import type { Db } from '../db/pool.ts'
import type { Scope } from '../db/schema.ts'
import { Problem } from '../errors.ts'
import { limitAccount } from './limits.ts'
import type { Access } from './route.ts'
import type { RequestContext, Services } from './serve.ts'

const BEARER = /^Bearer +(market_pat_[A-Za-z0-9_-]{43})$/i
const AGENT_HEADER = 'Market-Agent'

// A lost answer must not lock an agent out, nor a leaked token be good for long.
const ROTATION_REPEATABLE_SECONDS = 600
// Finer, and every read would be a write.
const LAST_USED_SECONDS = 3_600

interface TokenRow {
  id: string
  human_id: string
  agent_id: string | null
  scopes: Scope[]
  role: 'member' | 'operator'
  is_rotated: boolean
  is_use_unrecorded: boolean
}

/** SHA-256 of a bearer token: all that is kept of one, and what it is looked up by. */
export function hashToken(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

/**
 * Who is calling, or undefined on a public route. Throws 401 without a live token, 429 beyond its account's limit, 403 where its scopes, its kind of
 * account or the agent it names do not reach. A human acts as an agent of theirs by naming it in Market-Agent.
 */
export async function authenticate(
  services: Services,
  access: Access,
  context: RequestContext,
): Promise<Actor | undefined> {
  if (access === 'public') return undefined
  const { db } = services
  const token = await findToken(db, access.acceptsRotated ?? false, context)
  await limitAccount(services, context, token.agent_id ?? token.human_id)
  if (access.scope !== 'none' && !token.scopes.includes(access.scope)) {
    throw new Problem('auth/scope-insufficient', { detail: `This call needs a token with the scope ${access.scope}.` })
  }
  const named = readAgentHeader(context)
  if (named !== undefined && access.as !== 'human' && access.as !== 'operator') await requireAgent(db, token, named)
  refuseOtherAccounts(access.as, token, named)
  if (token.is_use_unrecorded) await recordUse(db, token.id)
  return {
    humanId: token.human_id,
    agentId: token.agent_id ?? (access.as === 'human' || access.as === 'operator' ? null : (named ?? null)),
    tokenId: token.id,
    scopes: token.scopes,
    isOperator: token.role === 'operator' && token.agent_id === null,
    isRotated: token.is_rotated,
  }
}

/** The bearer token a request presents, if it has a token's form. */
export function bearerOf(context: RequestContext): string | undefined {
  return BEARER.exec(context.req.header('Authorization') ?? '')?.[1]
}

async function findToken(db: Db, acceptsRotated: boolean, context: RequestContext): Promise<TokenRow> {
  const secret = bearerOf(context)
  if (secret === undefined) {
    throw new Problem('auth/unauthenticated', { detail: 'Send the header Authorization: Bearer <token>.' })
  }
  const { rows } = await sql<TokenRow>`
    select token.id, token.human_id, token.agent_id, token.scopes, human.role,
      token.revoked_at is not null as is_rotated,
      coalesce(token.last_used_at < market.now() - make_interval(secs => ${LAST_USED_SECONDS}), true) as is_use_unrecorded
    from market.tokens token join market.humans human on human.id = token.human_id
    where token.secret_hash = ${hashToken(secret)}
      and (token.revoked_at is null or (${acceptsRotated}
        and token.rotated_at > market.now() - make_interval(secs => ${ROTATION_REPEATABLE_SECONDS})))
      and (token.expires_at is null or token.expires_at > market.now())`.execute(db)
  const [token] = rows
  if (!token) throw unknownToken()
  return token
}

/** The answer to a token that is good for nothing, whatever the cause. */
export function unknownToken(): Problem {
  return new Problem('auth/unauthenticated', { detail: 'This token is unknown, expired or revoked.' })
}

async function recordUse(db: Db, tokenId: string): Promise<void> {
  await db.updateTable('market.tokens').set({ last_used_at: sql`market.now()` }).where('id', '=', tokenId).execute()
}

function readAgentHeader(context: RequestContext): string | undefined {
  const header = context.req.header(AGENT_HEADER)
  if (header === undefined) return undefined
  const agentId = parseUrn('agent', header)
  if (agentId !== undefined) return agentId
  throw new Problem('request/invalid', {
    detail: 'Market-Agent must be a URN: market:agent:<id>.',
    field: AGENT_HEADER,
  })
}

async function requireAgent(db: Db, token: TokenRow, agentId: string): Promise<void> {
  const isOwn =
    token.agent_id === null
      ? await db
          .selectFrom('market.agents')
          .select('id')
          .where('id', '=', agentId)
          .where('owner_id', '=', token.human_id)
          .executeTakeFirst()
      : token.agent_id === agentId
  if (isOwn) return
  throw new Problem('auth/forbidden', {
    detail: 'Market-Agent names an agent that this token cannot act as.',
    field: AGENT_HEADER,
  })
}

function refuseOtherAccounts(as: Exclude<Access, 'public'>['as'], token: TokenRow, named: string | undefined): void {
  if (as === 'agent' && token.agent_id === null && named === undefined) {
    throw new Problem('auth/forbidden', {
      detail: 'Agents do this. As a human, name the agent of yours to act as in the header Market-Agent.',
      field: AGENT_HEADER,
    })
  }
  if ((as === 'human' || as === 'operator') && token.agent_id !== null) {
    throw new Problem('auth/forbidden', { detail: 'This call needs a token of a human, not of an agent.' })
  }
  if (as === 'operator' && token.role !== 'operator') {
    throw new Problem('auth/forbidden', { detail: 'This call is for operators.' })
  }
}
