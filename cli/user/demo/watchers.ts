import { setTimeout as delay } from 'node:timers/promises'
import { followEvents } from '../../../sdk/events.ts'
import { createMarket } from '../../../sdk/market.ts'
import { type Place, startReceiver, type Watcher } from './internal/receiver.ts'

const POLL_MS = 500
/** How long the slowest channel may take to show the events of the log. */
const LAST_EVENT_MS = 10_000

/** How many events the watchers saw, and whether all of them saw the same. */
export interface Watched {
  events: number
  channels: string[]
  agree: boolean
}

/** Starts a reader of each channel, from the end of the log on. */
export async function startWatchers(place: Place): Promise<Watcher[]> {
  // Started before the end of the log is read, so every channel receives all events after it.
  const receiver = await startReceiver(place)
  const client = createMarket(place)
  const { body } = await client.call('getEvents', { query: { cursor: 'latest' }, headers: AS_PAGE })
  const reader = watch('SSE reader', (see, signal) => stream(place, body.cursor, see, signal))
  return [receiver, reader, poller(place, body.cursor)]
}

const AS_PAGE = { accept: 'application/json' }

function poller(place: Place, from: string): Watcher {
  return watch('poller', (see, signal) => poll(place, from, see, signal))
}

/** Waits until all have seen the same, or the slowest has had ten seconds, and stops them. */
export async function compareWatchers(watchers: readonly Watcher[]): Promise<Watched> {
  const deadline = performance.now() + LAST_EVENT_MS
  const agree = () =>
    watchers.every(({ seen }) => watchers.every((other) => [...seen].every((id) => other.seen.has(id))))
  // Twice the interval of the slowest, because just-committed events are still on their way.
  await delay(2 * POLL_MS)
  while (!agree() && performance.now() < deadline) await delay(POLL_MS)
  await Promise.all(watchers.map(({ stop }) => stop()))
  const events = Math.max(...watchers.map(({ seen }) => seen.size))
  return { events, channels: watchers.map(({ channel }) => channel), agree: agree() && events > 0 }
}

function watch(channel: string, run: (see: (id: string) => void, signal: AbortSignal) => Promise<void>): Watcher {
  const stopping = new AbortController()
  const seen = new Set<string>()
  const ended = run((id) => seen.add(id), stopping.signal)
  // Awaited by stop: until then a failure must not end the process.
  ended.catch(() => {})
  const stop = async () => {
    stopping.abort()
    await ended
  }
  return { channel, seen, stop }
}

async function stream(place: Place, from: string, see: (id: string) => void, signal: AbortSignal): Promise<void> {
  for await (const { event_id } of followEvents({ ...place, from, signal })) see(event_id)
}

async function poll(place: Place, from: string, see: (id: string) => void, signal: AbortSignal): Promise<void> {
  const client = createMarket(place)
  let cursor = from
  while (!signal.aborted) {
    const { body } = await client.call('getEvents', { query: { cursor, limit: 100 }, headers: AS_PAGE })
    for (const { event_id } of body.events) see(event_id)
    cursor = body.cursor
    if (!body.next_cursor) await delay(POLL_MS)
  }
}
