import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { isProblem } from '../../sdk/problem.ts'
import { changedBy, SUBJECTS } from './internal/changed.ts'
import { market } from './market.ts'

const JOIN_MS = 100
/** The least time between two reads, so that a busy org does not have its pages read all the time. */
const INTERVAL_MS = 1_000
const CHANNEL = 'market-events'
const LOCK = 'market-events'

/** What a tab tells the others of an event. */
interface Told {
  type: string
  cursor: string
}

/** Whether changes arrive without polling. */
export type LiveState = 'live' | 'waiting'

/**
 * Follows the events of the person who is signed in, and reads again what they changed. One tab of the
 * browser holds the connection, because a browser opens only six to a host; the other tabs get the events
 * from it.
 */
export function useLiveEvents(): LiveState {
  const client = useQueryClient()
  const [state, setState] = useState<LiveState>('waiting')
  useEffect(() => {
    const end = new AbortController()
    const channel = new BroadcastChannel(CHANNEL)
    const reads = startReads(client, end.signal)
    let from = 'latest'
    const take = ({ type, cursor }: Told) => {
      from = cursor
      reads.takeEvent(type)
    }
    channel.onmessage = ({ data }: MessageEvent<Told>) => {
      setState('live')
      take(data)
    }
    const follow = async () => {
      setState('live')
      for await (const told of eventsAfter(from, client, end.signal)) {
        take(told)
        channel.postMessage(told)
      }
    }
    navigator.locks.request(LOCK, { signal: end.signal }, follow).catch(() => setState('waiting'))
    return () => {
      end.abort()
      channel.close()
    }
  }, [client])
  return state
}

/** Follows the events after a place. If the log no longer goes on from there, everything is read again. */
async function* eventsAfter(place: string, client: QueryClient, signal: AbortSignal): AsyncGenerator<Told> {
  for (let from = place; !signal.aborted; from = 'latest') {
    try {
      for await (const { event_type: type, cursor } of market.events({ subjects: SUBJECTS, from, signal })) {
        yield { type, cursor }
      }
    } catch (error) {
      if (!isProblem(error, 'market:error:events/cursor-expired')) throw error
      void client.invalidateQueries()
    }
  }
}

/**
 * Collects the types of events, and reads again what they changed: at once, then at intervals while more of
 * them come.
 */
function startReads(client: QueryClient, signal: AbortSignal) {
  const types = new Set<string>()
  let isReading = false
  const read = async () => {
    isReading = true
    await pause(JOIN_MS)
    while (types.size > 0 && !signal.aborted) {
      const changed: ReadonlySet<unknown> = changedBy(types)
      types.clear()
      // A read that is under way may have begun before the change.
      const isChanged = ({ queryKey }: { queryKey: readonly unknown[] }) => changed.has(queryKey[0])
      await Promise.all([client.invalidateQueries({ predicate: isChanged }), pause(INTERVAL_MS)])
    }
    isReading = false
  }
  const takeEvent = (type: string) => {
    types.add(type)
    if (!isReading) void read()
  }
  return { takeEvent }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
