import { sql } from 'kysely'
import type { Settings } from '../context.ts'
import type { Db } from '../db/pool.ts'
import type { Place } from '../db/runner.ts'
import type { Scope } from '../db/schema/accounts.ts'
import { statement } from '../db/statement.ts'
import { Problem } from '../errors.ts'
import { hashSecret } from './credential.ts'
import type { Standing } from './limits.ts'

// A lost answer must not lock an agent out, nor a leaked token be good for long.
const ROTATION_REPEATABLE_SECONDS = 600
// Finer, and every read would be a write.
const TOKEN_SEEN_SECONDS = 3_600
const SESSION_SEEN_SECONDS = 60
const ALL_SCOPES: readonly Scope[] = ['read', 'transact', 'withdraw', 'manage']

/** A live token or session, and whose it is. */
export interface Credential {
  id: string
  human_id: string
  agent_id: string | null
  scopes: readonly Scope[]
  role: 'member' | 'operator'
  expires_at: Date | null
  is_rotated: boolean
  is_use_unrecorded: boolean
  session: { isFresh: boolean } | null
  /** How many calls its account has made in the window, this one included, and when that ends. */
  used: number
  resets_seconds: number
}

// Who calls and how many calls that makes are one statement: each is asked of every call. Where there is no live
// credential no row is counted; where there is one, limits.take has counted when the row comes back.
const selectToken = statement<Omit<Credential, 'session'>>(`
  select token.id, token.human_id, token.agent_id, token.scopes, human.role, token.expires_at,
    token.revoked_at is not null as is_rotated,
    coalesce(token.last_used_at < market.now() - make_interval(secs => ${TOKEN_SEEN_SECONDS}), true) as is_use_unrecorded,
    taken.used, taken.resets_seconds
  from market.tokens token join market.humans human on human.id = token.human_id
    cross join lateral limits.take(coalesce(token.agent_id, token.human_id), $3, $4, $5) taken
  where token.secret_hash = $1 and human.erased_at is null
    and (token.revoked_at is null or ($2
      and token.rotated_at > market.now() - make_interval(secs => ${ROTATION_REPEATABLE_SECONDS})))
    and (token.expires_at is null or token.expires_at > market.now())`)

const selectSession = statement<Omit<Credential, 'session' | 'scopes'> & { is_fresh: boolean }>(`
  select session.id, session.human_id, null as agent_id, human.role, session.expires_at, false as is_rotated,
    session.seen_at < market.now() - make_interval(secs => ${SESSION_SEEN_SECONDS}) as is_use_unrecorded,
    session.created_at > market.now() - make_interval(secs => $2) as is_fresh, taken.used, taken.resets_seconds
  from market.sessions session join market.humans human on human.id = session.human_id
    cross join lateral limits.take(session.human_id, $4, $5, $6) taken
  where session.secret_hash = $1 and session.revoked_at is null and human.erased_at is null
    and session.expires_at > market.now() and session.seen_at > market.now() - make_interval(secs => $3)`)

/**
 * The token of a secret, the call counted to its account. Throws 401 without one that is live, and counts nothing then. It
 * has asked `place` when it returns its promise.
 */
export async function findToken(
  db: Db,
  place: Place,
  secret: string,
  acceptsRotated: boolean,
  standing: Standing,
): Promise<Credential> {
  const { policy, quota, windowSeconds } = standing
  const [token] = await selectToken(place, [hashSecret(secret), acceptsRotated, policy, quota, windowSeconds])
  if (!token) throw unknownToken()
  if (token.is_use_unrecorded) {
    await db.updateTable('market.tokens').set({ last_used_at: sql`market.now()` }).where('id', '=', token.id).execute()
  }
  return { ...token, session: null }
}

/**
 * The session of a cookie's secret: its human, with every scope, the call counted to it. Throws 401 without one that is
 * live and was not idle, and counts nothing then.
 */
export async function findSession(
  db: Db,
  { rules }: Settings,
  secret: string,
  standing: Standing,
): Promise<Credential> {
  const { policy, quota, windowSeconds } = standing
  const limits = [rules.freshPasskeySeconds, rules.sessionIdleSeconds, policy, quota, windowSeconds]
  const [session] = await selectSession(db, [hashSecret(secret), ...limits])
  if (!session) throw new Problem('auth/unauthenticated', { detail: 'This session has ended: sign in again.' })
  if (session.is_use_unrecorded) {
    await db.updateTable('market.sessions').set({ seen_at: sql`market.now()` }).where('id', '=', session.id).execute()
  }
  return { ...session, scopes: ALL_SCOPES, session: { isFresh: session.is_fresh } }
}

/** The answer to a token that is good for nothing, whatever the cause. */
export function unknownToken(): Problem {
  return new Problem('auth/unauthenticated', { detail: 'This token is unknown, expired or revoked.' })
}
