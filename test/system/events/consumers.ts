import { setTimeout as delay } from 'node:timers/promises'
import WebSocket from 'ws'
import { followEvents } from '../../../sdk/events.ts'
import { createMarket } from '../../../sdk/market.ts'
import { answering, startReceiver } from '../../kit/api/platform/webhooks/receiver.ts'

const RETRY_MS = 100
/** One in so many requests is answered with an error. */
const FAILING = 100

/** What a consumer keeps of an event. */
export interface Consumed {
  event_id: string
  payload: unknown
}

/** One reader of an account's events, by one channel. It goes on by itself whatever is killed. */
export interface Consumer {
  name: string
  accountId: string
  /** Whether the channel gives the events of an order in their order. */
  isOrdered: boolean
  /** Every event it was given, in that order; some perhaps more than once. */
  events: readonly Consumed[]
  stop: () => Promise<void>
}

interface Page {
  events: Consumed[]
  cursor: string
  next_cursor: string | null
}

/** Where a consumer reads, and whose events. */
export interface Place {
  baseUrl: string
  accountId: string
  token: string
}

type Follow = (place: Place, take: (event: Consumed) => void, signal: AbortSignal) => Promise<void>

const CHANNELS: Record<string, Follow> = { poll, sse, websocket }

/** Starts a consumer of each channel that a client opens. */
export function startConsumers(place: Place): Consumer[] {
  return Object.entries(CHANNELS).map(([name, follow]) => {
    const stopping = new AbortController()
    const events: Consumed[] = []
    const ended = follow(place, (event) => events.push(event), stopping.signal)
    const stop = async () => {
      stopping.abort()
      await ended
    }
    return { name, accountId: place.accountId, isOrdered: true, events, stop }
  })
}

/**
 * Starts a receiver of webhooks, and has every event of the account sent to it. It answers with an error now
 * and then.
 */
export async function startWebhookConsumer({ baseUrl, accountId, token }: Place): Promise<Consumer> {
  const events: Consumed[] = []
  const { url, stop } = await startReceiver((response, request) => {
    events.push(request.event)
    answering(events.length % FAILING === 0 ? 500 : 204)(response, request)
  })
  await createMarket({ baseUrl, token }).call('createWebhook', { body: { url, event_types: ['*'] } })
  return { name: 'webhook', accountId, isOrdered: false, events, stop }
}

async function poll({ baseUrl, token }: Place, take: (event: Consumed) => void, signal: AbortSignal): Promise<void> {
  let cursor = 'earliest'
  while (!signal.aborted) {
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }
    const page = await fetch(`${baseUrl}/v1/events?limit=100&cursor=${cursor}`, { headers, signal })
      .then((response) => (response.ok ? (response.json() as Promise<Page>) : undefined))
      .catch(() => undefined)
    for (const event of page?.events ?? []) take(event)
    if (page) cursor = page.cursor
    if (!page?.next_cursor) await delay(RETRY_MS)
  }
}

async function sse({ baseUrl, token }: Place, take: (event: Consumed) => void, signal: AbortSignal): Promise<void> {
  for await (const event of followEvents({ baseUrl, token, from: 'earliest', signal })) take(event)
}

async function websocket(
  { baseUrl, token }: Place,
  take: (event: Consumed) => void,
  signal: AbortSignal,
): Promise<void> {
  let last = 'earliest'
  while (!signal.aborted) {
    const url = `${baseUrl.replace('http', 'ws')}/v1/ws?last_event_id=${last}`
    const socket = new WebSocket(url, ['market.v1', `market-bearer.${token}`])
    const end = () => socket.terminate()
    signal.addEventListener('abort', end)
    socket.on('message', (data) => {
      const event: Consumed = JSON.parse(String(data))
      take(event)
      last = event.event_id
    })
    socket.on('error', () => {})
    await new Promise((resolve) => socket.on('close', resolve))
    signal.removeEventListener('abort', end)
    await delay(RETRY_MS)
  }
}
