import { useQuery } from '@tanstack/react-query'
import type { CallInput, OperationName, PageItem } from '../../sdk/market.ts'
import { market } from './market.ts'

/** How many items of a list are read at most. */
export const MOST = 2_000

/** Reads all of a list that a page needs as a whole, such as a tree: its first 2,000 items. */
export function useAll<const Name extends OperationName>(
  name: Name,
  input: CallInput<Name>,
  { enabled = true, pollMs }: { enabled?: boolean; pollMs?: number } = {},
) {
  return useQuery<PageItem<Name>[]>({
    queryKey: [name, input, 'all'],
    queryFn: async ({ signal }) => {
      const { query } = input as { query?: object }
      const items: PageItem<Name>[] = []
      for await (const item of market.pages(name, { ...input, query: { limit: 100, ...query }, signal })) {
        if (items.push(item) >= MOST) break
      }
      return items
    },
    enabled,
    ...(pollMs ? { refetchInterval: pollMs } : {}),
  })
}
