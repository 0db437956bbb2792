import type { MarketRules } from '../../../context.ts'
import { Problem } from '../../../errors.ts'
import { bidProblems } from '../problems.ts'

/**
 * Returns when a bid or a quote expires: at the time its author gave, or after a default number of seconds.
 * Throws 422 for a time in the past, or more than rules.maxBidSeconds ahead.
 */
export function expiryOf(
  { maxBidSeconds }: MarketRules,
  now: Date,
  given: Date | undefined,
  defaultSeconds: number,
): Date {
  const expiresAt = given ?? new Date(now.getTime() + defaultSeconds * 1000)
  const ahead = expiresAt.getTime() - now.getTime()
  if (ahead > 0 && ahead <= maxBidSeconds * 1000) return expiresAt
  throw new Problem(bidProblems.windowOutOfRange, {
    detail: `expires_at must be after ${now.toISOString()} and at most ${maxBidSeconds} seconds ahead.`,
    field: 'expires_at',
  })
}
