import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { CallInput, OperationName, PageItem } from '../../sdk/market.ts'
import { market } from './market.ts'

/** How many items of a list are read at most. */
export const MOST = 2_000

/**
 * Reads all of a list that a page needs as a whole, such as a tree: its first 2,000 items, or as many as the
 * page asks for.
 */
export function useAll<const Name extends OperationName>(
  name: Name,
  input: CallInput<Name>,
  { enabled = true, pollMs, most = MOST }: { enabled?: boolean; pollMs?: number; most?: number } = {},
) {
  return useQuery<PageItem<Name>[]>({
    queryKey: [name, input, 'all', most],
    queryFn: async ({ signal }) => {
      const { query } = input as { query?: object }
      const items: PageItem<Name>[] = []
      for await (const item of market.pages(name, { ...input, query: { limit: 100, ...query }, signal })) {
        if (items.push(item) >= most) break
      }
      return items
    },
    enabled,
    // While more are read, the first ones stay.
    ...(most > MOST ? { placeholderData: keepPreviousData } : {}),
    ...(pollMs ? { refetchInterval: pollMs } : {}),
  })
}
