import {
  MutationCache,
  QueryCache,
  QueryClient,
  type QueryKey,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import type { CallAnswer, CallInput, OperationName, PageItem } from '../../sdk/market.ts'
import { ApiProblem } from '../../sdk/problem.ts'
import { readAgain } from './conflicts.ts'
import { market } from './market.ts'
import { withFreshPasskey } from './passkeys.ts'

const CHANGING_MS = 2_000

/** The answers of reads, by operation and input. The SDK retries failed calls, so nothing is retried here. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (error, { queryKey }) => askWhoIsIn(error, queryKey) }),
  mutationCache: new MutationCache({ onError: (error) => askWhoIsIn(error) }),
  defaultOptions: { queries: { retry: false, staleTime: 5_000, refetchOnWindowFocus: true } },
})

// A session may end while its page is open. Whichever call notices it, the page asks for a sign-in at once.
function askWhoIsIn(error: Error, [name]: QueryKey = []): void {
  if (isSignedOut(error) && name !== 'getMe') void queryClient.invalidateQueries({ queryKey: ['getMe'] })
}

/** The body of a successful answer of an operation. */
export type Body<Name extends OperationName> = Extract<CallAnswer<Name>, { status: 200 | 201 | 202 }>['body']

/** How a read is kept current. */
interface ReadOptions {
  /** False until its input is known. */
  enabled?: boolean
  /** The interval of reading again, for changes that no event reports. */
  pollMs?: number
}

/** The same for one thing, which is no longer read again once it is done. */
interface ThingOptions<Thing> extends ReadOptions {
  isDone?: (thing: Thing) => boolean
  /** Whether it is about to change, so that it is read again every two seconds. */
  isChanging?: (thing: Thing) => boolean
}

/** Reads an operation. `data` is the body of its answer; `error` an ApiProblem, or what the network threw. */
export function useRead<const Name extends OperationName>(
  name: Name,
  input: CallInput<Name>,
  { enabled = true, pollMs, isDone, isChanging }: ThingOptions<Body<Name>> = {},
) {
  return useQuery<Body<Name>>({
    queryKey: keyOf(name, input),
    queryFn: async ({ signal }) => (await market.call(name, { ...input, signal })).body as Body<Name>,
    enabled,
    refetchInterval: ({ state: { data } }) => {
      if (data !== undefined && isDone?.(data)) return false
      return data !== undefined && isChanging?.(data) ? CHANGING_MS : (pollMs ?? false)
    },
  })
}

/**
 * Reads a list page by page: `items` are those of the pages so far; `more`, if there are any, reads the next
 * page.
 */
export function useList<const Name extends OperationName>(
  name: Name,
  input: CallInput<Name>,
  { enabled = true, pollMs }: ReadOptions = {},
) {
  const list = useInfiniteQuery({
    queryKey: keyOf(name, input),
    queryFn: async ({ signal, pageParam }) => {
      const { query } = input as { query?: object }
      const paged = { ...input, signal, query: { ...query, ...(pageParam ? { cursor: pageParam } : {}) } }
      return (await market.call(name, paged)).body as Record<string, unknown>
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page?.next_cursor as string | null | undefined) ?? undefined,
    enabled,
    ...(pollMs ? { refetchInterval: pollMs } : {}),
  })
  const items = list.data?.pages.flatMap((page) => Object.values(page).find(Array.isArray) ?? [])
  return {
    items: items as PageItem<Name>[] | undefined,
    /** The latest page, with its other members. */
    latest: list.data?.pages.at(-1) as Body<Name> | undefined,
    error: list.error,
    isLoading: list.isLoading,
    more: list.hasNextPage ? () => void list.fetchNextPage() : undefined,
    isLoadingMore: list.isFetchingNextPage,
  }
}

/**
 * Returns a mutation that calls an operation. If the call needs a fresh passkey, the person is asked for it
 * and the call is repeated. Afterwards the operations in `invalidates` are read again; a conflict remembers
 * which fields have changed.
 */
export function useChange<const Name extends OperationName>(name: Name, invalidates: readonly OperationName[] = []) {
  const client = useQueryClient()
  return useMutation<Body<Name>, Error, CallInput<Name>>({
    mutationFn: async (input) => {
      const call = { idempotencyKey: crypto.randomUUID(), ...input }
      return withFreshPasskey(async () => (await market.call(name, call)).body as Body<Name>)
    },
    onSettled: (_answer, error) => readAgain(client, invalidates, error),
  })
}

/** Whether an error says that nobody is signed in. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiProblem && error.status === 401
}

function keyOf(name: OperationName, input: object): QueryKey {
  const { signal: _signal, ...rest } = input as { signal?: AbortSignal }
  return [name, rest]
}
