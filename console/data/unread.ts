import { useRead } from './queries.ts'

const POLL_MS = 30_000
/** The most that are told as a number: more are told as "99+". */
export const MOST_COUNTED = 99

/** Returns how many notifications are unread, of trades and of each org of the person. */
export function useUnread() {
  return useRead('countUnreadNotifications', {}, { pollMs: POLL_MS }).data
}

/** Returns how many notifications are unread in all. */
export function useUnreadCount(): number {
  return useUnread()?.unread ?? 0
}
