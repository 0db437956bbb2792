import { useQueries } from '@tanstack/react-query'
import { useAll } from './all.ts'
import { market } from './market.ts'
import { useList } from './queries.ts'

const POLL_MS = 30_000
/** The most that are counted: more are told as "9+". */
export const MOST_COUNTED = 9
const UNREAD = { unread: 'true', limit: MOST_COUNTED + 1 } as const

/** Returns how many notifications of trades and of the person's orgs are unread, ten for any number above nine. */
export function useUnreadCount(): number {
  const trades = useList('listTradeNotifications', { query: UNREAD }, { pollMs: POLL_MS })
  const { data: orgs = [] } = useAll('listOrgs', {})
  const counts = useQueries({
    queries: orgs.map(({ slug: org }) => {
      const input = { params: { org }, query: UNREAD }
      return {
        queryKey: ['listNotifications', input, 'count'],
        queryFn: async ({ signal }: { signal: AbortSignal }) =>
          (await market.call('listNotifications', { ...input, signal })).body.items.length,
        refetchInterval: POLL_MS,
      }
    }),
  })
  const work = counts.reduce((sum, { data = 0 }) => sum + data, 0)
  return Math.min((trades.items?.length ?? 0) + work, MOST_COUNTED + 1)
}
