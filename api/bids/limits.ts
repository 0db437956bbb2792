import { Problem } from '../errors.ts'

const DAY_SECONDS = 86_400
const MAX_OPEN_SECONDS = 90 * DAY_SECONDS

/**
 * When a bid or a quote runs out: as its author says, or after a time of ours, in seconds. Throws 422 for a time that is
 * over, or more than 90 days ahead.
 */
export function expiryOf(now: Date, given: Date | undefined, defaultSeconds: number): Date {
  const expiresAt = given ?? new Date(now.getTime() + defaultSeconds * 1000)
  const ahead = expiresAt.getTime() - now.getTime()
  if (ahead > 0 && ahead <= MAX_OPEN_SECONDS * 1000) return expiresAt
  throw new Problem('bids/window-out-of-range', {
    detail: `expires_at must be after ${now.toISOString()} and at most ${MAX_OPEN_SECONDS / DAY_SECONDS} days ahead.`,
    field: 'expires_at',
  })
}
