import { sql } from 'kysely'
import { parseUrn } from '../../../protocol/encoding/urn.ts'
import type { Actor, Settings, WebSettings } from '../../context.ts'
import { AGENT_HEADER, agentRequired, groundProblems, Problem } from '../../errors.ts'
import type { Db } from '../../platform/db/pool.ts'
import type { Access, RouteDefinition } from '../../platform/http/route/route.ts'
import { accountLimit, recordRateLimit } from '../../platform/http/serve/limits.ts'
import { httpProblems } from '../../platform/http/serve/problems.ts'
import type { RequestContext, Services } from '../../platform/http/serve/services.ts'
import { presentedBy } from './credential.ts'
import { requireFreshPasskey } from './freshPasskey.ts'
import { type Credential, findSession, findToken } from './internal/credentials.ts'

type Guarded = Exclude<Access, 'public'>

/**
 * Returns the caller, or undefined on a public route. Throws 401 without a valid token or session; 429 beyond
 * the account's rate limit; 403 for a session write from another site, for missing scopes, for the wrong kind
 * of account, for an agent that is not the caller's, and where a fresh passkey is required. A human acts as
 * an agent of theirs by naming it in Market-Agent.
 */
export async function authenticate(
  services: Services,
  route: RouteDefinition,
  context: RequestContext,
): Promise<Actor | undefined> {
  const { access } = route
  const { db, settings } = services
  if (access === 'public') {
    const origin = context.req.header('Origin')
    // A page of another site could sign the browser in to another account.
    if (route.beginsSession && origin !== undefined) requireOwnOrigin(settings.web, origin)
    return undefined
  }
  const credential = await findCredential(services, { route, access, context })
  if (access.scope !== 'none' && !credential.scopes.includes(access.scope)) {
    throw new Problem(groundProblems.scopeInsufficient, {
      detail: `This call needs a token with the scope ${access.scope}.`,
    })
  }
  const named = readAgentHeader(context)
  const actsAsAgent = access.as === 'agent' || access.as === 'any'
  const agent = named !== undefined && actsAsAgent ? await findAgent(db, credential, named) : undefined
  refuseOtherAccounts(access.as, credential, named)
  const actor = {
    humanId: credential.human_id,
    agentId: credential.agent_id ?? agent?.id ?? null,
    tokenId: credential.id,
    expiresAt: credential.expires_at,
    session: credential.session,
    scopes: credential.scopes,
    isHuman: credential.agent_id === null,
    isOperator: credential.role === 'operator' && credential.agent_id === null,
    isDeactivated: agent?.isDeactivated ?? false,
    isRotated: credential.is_rotated,
  }
  if (access.reAuth) requireFreshPasskey({ actor, settings }, { act: 'This call' })
  return actor
}

async function findCredential(
  services: Services,
  { route, access, context }: { route: RouteDefinition; access: Guarded; context: RequestContext },
): Promise<Credential> {
  const { settings } = services
  const presented = presentedBy(settings.web, context, route.socket ?? false)
  if (presented === undefined) {
    throw new Problem(groundProblems.unauthenticated, {
      detail: 'Send the header Authorization: Bearer <token>, or sign in with a passkey.',
    })
  }
  context.set('credentialSecret', presented.secret)
  if (presented.kind === 'session' && (route.method !== 'get' || route.socket)) {
    requireOwnOrigin(settings.web, context.req.header('Origin'))
  }
  const limit = accountLimit(services, route, context)
  const credential =
    presented.kind === 'token'
      ? await findToken(services, presented.secret, access.acceptsRotated ?? false, limit)
      : await findSession(services, presented.secret, limit)
  const account = credential.agent_id ?? credential.human_id
  await recordRateLimit(services, context, limit, { ...credential, account })
  return credential
}

function readAgentHeader(context: RequestContext): string | undefined {
  const header = context.req.header(AGENT_HEADER)
  if (header === undefined) return undefined
  const agentId = parseUrn('agent', header)
  if (agentId !== undefined) return agentId
  throw new Problem(httpProblems.invalid, {
    detail: 'Market-Agent must be a URN: market:agent:<id>.',
    field: AGENT_HEADER,
  })
}

// An agent's token is valid only while the agent is active.
async function findAgent(
  db: Db,
  credential: Credential,
  agentId: string,
): Promise<{ id: string; isDeactivated: boolean }> {
  if (credential.agent_id === agentId) return { id: agentId, isDeactivated: false }
  const own = await db
    .selectFrom('market.agents')
    .select(['id', 'deactivated_at'])
    .where('id', '=', agentId)
    .where('owner_id', '=', credential.human_id)
    .executeTakeFirst()
  if (own && credential.agent_id === null) return { id: own.id, isDeactivated: own.deactivated_at !== null }
  throw new Problem(groundProblems.forbidden, {
    detail: 'Market-Agent names an agent that this token cannot act as.',
    field: AGENT_HEADER,
  })
}

function refuseOtherAccounts(as: Guarded['as'], { agent_id, role }: Credential, named: string | undefined): void {
  if (as === 'agent' && agent_id === null && named === undefined) throw agentRequired()
  if ((as === 'human' || as === 'operator') && agent_id !== null) {
    throw new Problem(groundProblems.forbidden, { detail: 'This call needs a token of a human, not of an agent.' })
  }
  if (as === 'operator' && role !== 'operator') {
    throw new Problem(groundProblems.forbidden, { detail: 'This call is for operators.' })
  }
}

/**
 * Returns the callers whose credentials no longer hold: their token or session has ended, their account was
 * erased, or they became an operator or stopped being one. Uses one query for any number of callers.
 */
export async function findEnded(
  db: Db,
  { rules }: Pick<Settings, 'rules'>,
  actors: readonly Actor[],
): Promise<ReadonlySet<Actor>> {
  const ids = [...new Set(actors.map(({ tokenId }) => tokenId))]
  const { rows } = await sql<{ id: string; is_operator: boolean }>`
    select token.id, human.role = 'operator' and token.agent_id is null as is_operator
    from market.tokens token join market.humans human on human.id = token.human_id
    where token.id = any(${ids}::uuid[]) and human.erased_at is null and token.revoked_at is null
      and (token.expires_at is null or token.expires_at > market.now())
    union all
    select session.id, human.role = 'operator'
    from market.sessions session join market.humans human on human.id = session.human_id
    where session.id = any(${ids}::uuid[]) and human.erased_at is null and session.revoked_at is null
      and session.expires_at > market.now()
      and session.seen_at > market.now() - make_interval(secs => ${rules.sessionIdleSeconds})`.execute(db)
  const operators = new Map(rows.map(({ id, is_operator }) => [id, is_operator]))
  return new Set(actors.filter(({ tokenId, isOperator }) => operators.get(tokenId) !== isOperator))
}

/**
 * Throws auth/origin-refused unless a write comes from one of our pages. Browsers also send cookies with
 * requests that other sites' pages cause; the Origin header names the page (Fetch, section 3.2).
 */
export function requireOwnOrigin({ origins }: WebSettings, origin: string | undefined): void {
  if (origin !== undefined && origins.includes(origin)) return
  throw new Problem(groundProblems.originRefused, {
    detail: 'A write of a browser must come from a page of this service, and say so in the header Origin.',
    field: 'Origin',
  })
}
