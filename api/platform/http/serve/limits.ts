import { type RawBuilder, sql } from 'kysely'
import type { MarketRules } from '../../../context.ts'
import { Problem } from '../../../errors.ts'
import { isOutage } from '../../../faults.ts'
import type { RouteDefinition } from '../route/route.ts'
import { httpProblems } from './problems.ts'
import type { RateLimitStatus, RequestContext, Services } from './services.ts'

/**
 * The quota that a request counts against: the reads or the writes of its account, or those of its address
 * without an account.
 */
type Policy = RateLimitStatus['policy']

const QUOTAS = { reads: 'maxReads', writes: 'maxWrites', anonymous: 'maxAnonymous' } as const

/** Returns the quota for a request of an account, separate for reads and writes, with nothing used yet. */
export function accountLimit(
  { settings }: Services,
  { isCountedAsRead }: RouteDefinition,
  context: RequestContext,
): RateLimitStatus {
  const isRead = isCountedAsRead || context.req.method === 'GET' || context.req.method === 'HEAD'
  return untouched(settings.rules, isRead ? 'reads' : 'writes')
}

/** The columns of `countedInDatabase`. */
export interface Counted {
  used: number
  resets_seconds: number
}

/**
 * Adds the counting of a request to the statement that finds its account, so that both are one statement. If
 * the windows are not in the database, it counts nothing, and `recordRateLimit` does.
 */
export function countedInDatabase(
  { windows }: Pick<Services, 'windows'>,
  limit: RateLimitStatus,
  account: RawBuilder<unknown>,
) {
  const { policy, quota, windowSeconds } = limit
  return windows
    ? sql`cross join (values (0, 0)) taken (used, resets_seconds)`
    : sql`cross join lateral limits.take(${account}, ${policy}, ${quota}, ${windowSeconds}) taken`
}

/**
 * Sets the rate-limit headers from an account's count after this request, across all processes (spec 8).
 * Throws request/rate-limited if the quota of the window is used up.
 */
export async function recordRateLimit(
  { windows }: Pick<Services, 'windows'>,
  context: RequestContext,
  limit: RateLimitStatus,
  { account, used, resets_seconds: resetsSeconds }: Counted & { account: string },
): Promise<void> {
  const taken = windows ? await windows.take(account, limit.policy, limit.windowSeconds) : { used, resetsSeconds }
  const status = { ...limit, ...taken }
  setRateLimit(context, status)
  refuseSpent(status)
}

/**
 * Counts a request without an account against its address. Throws request/rate-limited if the quota of the
 * window is used up. While the database is unreachable nothing is counted, so that public routes keep
 * working.
 */
export async function limitAddress(services: Services, context: RequestContext): Promise<void> {
  try {
    setRateLimit(context, await take(services, 'anonymous', context.get('addressSubject')()))
  } catch (error) {
    if (!isOutage(error)) throw error
    leaveUncounted(services, context)
  }
  refuseSpent(context.get('rateLimit') as RateLimitStatus)
}

/**
 * Sets rate-limit headers without counting. Used for requests that are never refused, such as health probes.
 */
export function leaveUncounted({ settings }: Services, context: RequestContext): void {
  setRateLimit(context, untouched(settings.rules, 'anonymous'))
}

/**
 * Returns the headers that every answer has: the spec's three (8), and those of
 * draft-ietf-httpapi-ratelimit-headers-11.
 */
function limitHeaders({ policy, quota, windowSeconds, used, resetsSeconds }: RateLimitStatus): Record<string, string> {
  const remaining = Math.max(0, quota - used)
  return {
    'RateLimit-Limit': String(quota),
    'RateLimit-Remaining': String(remaining),
    'RateLimit-Reset': String(resetsSeconds),
    'RateLimit-Policy': `"${policy}";q=${quota};w=${windowSeconds}`,
    RateLimit: `"${policy}";r=${remaining};t=${resetsSeconds}`,
  }
}

/** Returns the headers of a request that is not counted: the full quota of an address without an account. */
export function uncountedHeaders(rules: MarketRules): Record<string, string> {
  return limitHeaders(untouched(rules, 'anonymous'))
}

function setRateLimit(context: RequestContext, status: RateLimitStatus): void {
  context.set('rateLimit', status)
  for (const [name, value] of Object.entries(limitHeaders(status))) context.header(name, value)
}

async function take({ db, settings, windows }: Services, policy: Policy, subject: string): Promise<RateLimitStatus> {
  const full = untouched(settings.rules, policy)
  if (windows) return { ...full, ...(await windows.take(subject, policy, full.windowSeconds)) }
  const { rows } = await sql<Counted>`
    select used, resets_seconds from limits.take(${subject}, ${policy}, ${full.quota}, ${full.windowSeconds})`.execute(
    db,
  )
  const [row] = rows
  if (!row) throw new Error('limits.take answered no row')
  return { ...full, used: row.used, resetsSeconds: row.resets_seconds }
}

function untouched(rules: MarketRules, policy: Policy): RateLimitStatus {
  const { rateWindowSeconds } = rules
  const quota = rules[QUOTAS[policy]]
  return { policy, quota, windowSeconds: rateWindowSeconds, used: 0, resetsSeconds: rateWindowSeconds }
}

function refuseSpent({ policy, quota, windowSeconds, used, resetsSeconds }: RateLimitStatus): void {
  if (used <= quota) return
  const whose = policy === 'anonymous' ? 'of this address without a token' : `that are ${policy} of this account`
  throw new Problem(httpProblems.rateLimited, {
    detail: `More than ${quota} requests ${whose} in ${windowSeconds} seconds. Continue in ${resetsSeconds} seconds.`,
    retryAfterSeconds: resetsSeconds,
  })
}
