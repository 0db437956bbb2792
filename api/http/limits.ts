import { sql } from 'kysely'
import type { MarketRules } from '../context.ts'
import type { Db } from '../db/pool.ts'
import { Problem } from '../errors.ts'
import { isOutage } from '../faults.ts'
import type { RequestContext, Services } from './serve.ts'

/** What a request counts towards: those of its account that read or write, or those of its address without one. */
type Policy = 'reads' | 'writes' | 'anonymous'

const QUOTAS = { reads: 'maxReads', writes: 'maxWrites', anonymous: 'maxAnonymous' } as const

/** How a caller stands after a request was counted. */
export interface Standing {
  policy: Policy
  quota: number
  windowSeconds: number
  used: number
  /** Until the window ends, and the whole quota is there again. */
  resetsSeconds: number
}

/** The limit a request of an account's counts to, reads and writes apart, as it stands before the window's first. */
export function accountLimit({ settings }: Services, context: RequestContext): Standing {
  const isRead = context.req.method === 'GET' || context.req.method === 'HEAD'
  return untouched(settings.rules, isRead ? 'reads' : 'writes')
}

/**
 * Notes how an account stands now that this request was counted, across all processes (spec 8). Throws
 * request/rate-limited when the quota of the window is spent.
 */
export function noteStanding(context: RequestContext, standing: Standing): void {
  context.set('standing', standing)
  refuseSpent(standing)
}

/**
 * Counts a request that no account answers for to the address it comes from. Throws request/rate-limited when the quota
 * of the window is spent. What is open to everyone stays so while the database is gone: then nothing is counted.
 */
export async function limitAddress(services: Services, context: RequestContext): Promise<void> {
  const { db, settings } = services
  try {
    context.set('standing', await take(db, settings.rules, 'anonymous', context.get('addressSubject')()))
  } catch (error) {
    if (!isOutage(error)) throw error
    leaveUncounted(services, context)
  }
  refuseSpent(context.get('standing') as Standing)
}

/** A request that is never refused, so that a probe hears of the process and not of its neighbours. */
export function leaveUncounted({ settings }: Services, context: RequestContext): void {
  context.set('standing', untouched(settings.rules, 'anonymous'))
}

/** The headers every answer has: the spec's three (8), and those of draft-ietf-httpapi-ratelimit-headers-11. */
export function limitHeaders({ policy, quota, windowSeconds, used, resetsSeconds }: Standing): Record<string, string> {
  const remaining = Math.max(0, quota - used)
  return {
    'RateLimit-Limit': String(quota),
    'RateLimit-Remaining': String(remaining),
    'RateLimit-Reset': String(resetsSeconds),
    'RateLimit-Policy': `"${policy}";q=${quota};w=${windowSeconds}`,
    RateLimit: `"${policy}";r=${remaining};t=${resetsSeconds}`,
  }
}

/** The same where nobody is counted: all of what an address has without an account. */
export function uncountedHeaders(rules: MarketRules): Record<string, string> {
  return limitHeaders(untouched(rules, 'anonymous'))
}

async function take(db: Db, rules: MarketRules, policy: Policy, subject: string): Promise<Standing> {
  const full = untouched(rules, policy)
  const { rows } = await sql<{ used: number; resets_seconds: number }>`
    select used, resets_seconds from limits.take(${subject}, ${policy}, ${full.quota}, ${full.windowSeconds})`.execute(
    db,
  )
  const [row] = rows
  if (!row) throw new Error('limits.take answered no row')
  return { ...full, used: row.used, resetsSeconds: row.resets_seconds }
}

function untouched(rules: MarketRules, policy: Policy): Standing {
  const { rateWindowSeconds } = rules
  const quota = rules[QUOTAS[policy]]
  return { policy, quota, windowSeconds: rateWindowSeconds, used: 0, resetsSeconds: rateWindowSeconds }
}

function refuseSpent({ policy, quota, windowSeconds, used, resetsSeconds }: Standing): void {
  if (used <= quota) return
  const whose = policy === 'anonymous' ? 'of this address without a token' : `that are ${policy} of this account`
  throw new Problem('request/rate-limited', {
    detail: `More than ${quota} requests ${whose} in ${windowSeconds} seconds. Go on in ${resetsSeconds} seconds.`,
    retryAfterSeconds: resetsSeconds,
  })
}
