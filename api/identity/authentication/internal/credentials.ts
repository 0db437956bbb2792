import { sql } from 'kysely'
import { groundProblems, Problem, unauthenticated } from '../../../errors.ts'
import type { Scope } from '../../../platform/db/generated/tables.ts'
import { type Counted, countedInDatabase } from '../../../platform/http/serve/limits.ts'
import type { RateLimitStatus, Services } from '../../../platform/http/serve/services.ts'
import { hashSecret } from '../credential.ts'

// A shorter interval would make nearly every read a write.
const TOKEN_SEEN_SECONDS = 3_600
const SESSION_SEEN_SECONDS = 60
const ALL_SCOPES: readonly Scope[] = ['read', 'transact', 'withdraw', 'manage']

/** The services that find a credential and count the requests of its account. */
type Counting = Pick<Services, 'db' | 'settings' | 'windows'>

/**
 * A valid token or session, its account, and the account's requests in this window, if they are counted in
 * the database.
 */
export interface Credential extends Counted {
  id: string
  human_id: string
  agent_id: string | null
  scopes: readonly Scope[]
  role: 'member' | 'operator'
  expires_at: Date | null
  is_rotated: boolean
  is_use_unrecorded: boolean
  session: { isFresh: boolean } | null
}

/**
 * Finds the valid token of a secret and counts the call against its account. Throws 401 if there is none, and
 * then counts nothing.
 */
export async function findToken(
  services: Counting,
  secret: string,
  acceptsRotated: boolean,
  limit: RateLimitStatus,
): Promise<Credential> {
  const { db, settings } = services
  // The lookup and the count are one statement: a secret that matches no valid token counts against no
  // account.
  const { rows } = await sql<Omit<Credential, 'session'>>`
    select token.id, token.human_id, token.agent_id, token.scopes, human.role, token.expires_at,
      token.revoked_at is not null as is_rotated,
      coalesce(token.last_used_at < market.now() - make_interval(secs => ${TOKEN_SEEN_SECONDS}), true) as is_use_unrecorded,
      taken.used, taken.resets_seconds
    from market.tokens token join market.humans human on human.id = token.human_id
      ${countedInDatabase(services, limit, sql`coalesce(token.agent_id, token.human_id)`)}
    where token.secret_hash = ${hashSecret(secret)} and human.erased_at is null
      and (token.revoked_at is null or (${acceptsRotated}
        and token.rotated_at > market.now() - make_interval(secs => ${settings.rules.rotationRepeatSeconds})))
      and (token.expires_at is null or token.expires_at > market.now())`.execute(db)
  const [token] = rows
  if (!token) throw unauthenticated()
  if (token.is_use_unrecorded) {
    await db.updateTable('market.tokens').set({ last_used_at: sql`market.now()` }).where('id', '=', token.id).execute()
  }
  return { ...token, session: null }
}

/**
 * Finds the valid session of a cookie's secret and counts the call against its human. A session has every
 * scope. Throws 401 if it ended or was idle for too long, and then counts nothing.
 */
export async function findSession(services: Counting, secret: string, limit: RateLimitStatus): Promise<Credential> {
  const { db, settings } = services
  const { rows } = await sql<Omit<Credential, 'session' | 'scopes'> & { is_fresh: boolean }>`
    select session.id, session.human_id, null as agent_id, human.role, session.expires_at, false as is_rotated,
      session.seen_at < market.now() - make_interval(secs => ${SESSION_SEEN_SECONDS}) as is_use_unrecorded,
      session.created_at > market.now() - make_interval(secs => ${settings.rules.freshPasskeySeconds}) as is_fresh,
      taken.used, taken.resets_seconds
    from market.sessions session join market.humans human on human.id = session.human_id
      ${countedInDatabase(services, limit, sql`session.human_id`)}
    where session.secret_hash = ${hashSecret(secret)} and session.revoked_at is null and human.erased_at is null
      and session.expires_at > market.now()
      and session.seen_at > market.now() - make_interval(secs => ${settings.rules.sessionIdleSeconds})`.execute(db)
  const [session] = rows
  if (!session) throw new Problem(groundProblems.unauthenticated, { detail: 'This session has ended: sign in again.' })
  if (session.is_use_unrecorded) {
    await db.updateTable('market.sessions').set({ seen_at: sql`market.now()` }).where('id', '=', session.id).execute()
  }
  return { ...session, scopes: ALL_SCOPES, session: { isFresh: session.is_fresh } }
}
