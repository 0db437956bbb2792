import { parseUrn } from '../../protocol/urn.ts'
import type { Actor } from '../context.ts'
import type { Db } from '../db/pool.ts'
import type { Place } from '../db/runner.ts'
import { Problem } from '../errors.ts'
import { presentedBy } from './credential.ts'
import { type Credential, findSession, findToken } from './credentials.ts'
import { accountLimit, noteStanding } from './limits.ts'
import { requireOwnOrigin } from './origin.ts'
import { requireFreshPasskey } from './reAuth.ts'
import type { Access, RouteDefinition } from './route.ts'
import type { RequestContext, Services } from './serve.ts'

const AGENT_HEADER = 'Market-Agent'

type Guarded = Exclude<Access, 'public'>

/**
 * Who is calling, or undefined on a public route. Throws 401 without a live token or session; 429 beyond its account's
 * limit; 403 for another site's write with a session, where scopes, kind of account or the agent named do not reach, and
 * where a passkey must be fresh. A human acts as an agent of theirs by naming it in Market-Agent. A token is asked for in
 * `place`, and has been when this returns its promise.
 */
export async function authenticate(
  services: Services,
  route: RouteDefinition,
  context: RequestContext,
  place: Place = services.db,
): Promise<Actor | undefined> {
  const { access } = route
  if (access === 'public') return undefined
  const { db, settings } = services
  const credential = await findCredential(services, place, { route, access, context })
  if (access.scope !== 'none' && !credential.scopes.includes(access.scope)) {
    throw new Problem('auth/scope-insufficient', { detail: `This call needs a token with the scope ${access.scope}.` })
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
    isOperator: credential.role === 'operator' && credential.agent_id === null,
    isDeactivated: agent?.isDeactivated ?? false,
    isRotated: credential.is_rotated,
  }
  if (access.reAuth) requireFreshPasskey({ actor, settings }, { act: 'This call' })
  return actor
}

async function findCredential(
  services: Services,
  place: Place,
  { route, access, context }: { route: RouteDefinition; access: Guarded; context: RequestContext },
): Promise<Credential> {
  const { db, settings } = services
  const presented = presentedBy(settings.web, context)
  if (presented === undefined) {
    throw new Problem('auth/unauthenticated', {
      detail: 'Send the header Authorization: Bearer <token>, or sign in with a passkey.',
    })
  }
  if (presented.kind === 'session' && route.method !== 'get') {
    requireOwnOrigin(settings.web, context.req.header('Origin'))
  }
  const limit = accountLimit(services, context)
  const credential =
    presented.kind === 'token'
      ? await findToken(db, place, presented.secret, access.acceptsRotated ?? false, limit)
      : await findSession(db, settings, presented.secret, limit)
  noteStanding(context, { ...limit, used: credential.used, resetsSeconds: credential.resets_seconds })
  return credential
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

// A token of an agent's lives only while its agent is active.
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
  throw new Problem('auth/forbidden', {
    detail: 'Market-Agent names an agent that this token cannot act as.',
    field: AGENT_HEADER,
  })
}

function refuseOtherAccounts(as: Guarded['as'], { agent_id, role }: Credential, named: string | undefined): void {
  if (as === 'agent' && agent_id === null && named === undefined) {
    throw new Problem('auth/forbidden', {
      detail: 'Agents do this. As a human, name the agent of yours to act as in the header Market-Agent.',
      field: AGENT_HEADER,
    })
  }
  if ((as === 'human' || as === 'operator') && agent_id !== null) {
    throw new Problem('auth/forbidden', { detail: 'This call needs a token of a human, not of an agent.' })
  }
  if (as === 'operator' && role !== 'operator') {
    throw new Problem('auth/forbidden', { detail: 'This call is for operators.' })
  }
}
