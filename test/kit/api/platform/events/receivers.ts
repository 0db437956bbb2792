import { once } from 'node:events'
import { EventSource } from 'eventsource'
import WebSocket from 'ws'
import { until } from '../../../until.ts'

/** An event as a receiver got it. */
export interface Received {
  event_id: string
  event_type: string
  payload: Record<string, unknown>
}

/** What a receiver has got so far, in its order, and a way to wait for more. */
class Inbox {
  readonly events: Received[] = []

  put(data: string): void {
    this.events.push(JSON.parse(data))
  }

  /** Resolves once there are so many, or once the last event satisfies a condition. */
  async until(enough: (events: readonly Received[]) => boolean): Promise<Received[]> {
    return until('enough events have come', () => this.events, enough, { pollMs: 5 })
  }

  /** The orders that its events are about. */
  get orders(): unknown[] {
    return this.events.map(({ payload }) => payload.order_urn)
  }
}

/** Opens a stream by the npm package eventsource, as its documentation shows. */
export async function openEventSource(baseUrl: string, token: string, query = '', lastEventId?: string) {
  const inbox = new Inbox()
  const given = lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId }
  const source = new EventSource(`${baseUrl}/v1/events${query}`, {
    fetch: (url, init) =>
      fetch(url, { ...init, headers: { ...given, ...init.headers, authorization: `Bearer ${token}` } }),
  })
  for (const type of ['order.placed', 'order.funded', 'order.cancelled', 'attachment.created'])
    source.addEventListener(type, ({ data }) => inbox.put(data))
  await new Promise<void>((resolve, reject) => {
    source.addEventListener('open', () => resolve())
    source.addEventListener('error', ({ code, message }) => reject(new Error(`${code} ${message}`)))
  })
  return { source, inbox }
}

/** Opens a WebSocket by the npm package ws. Rejects with the status of a refusal. */
export async function openSocket(baseUrl: string, protocols: string[], query = '') {
  const inbox = new Inbox()
  const socket = new WebSocket(`${baseUrl.replace('http', 'ws')}/v1/ws${query}`, protocols)
  socket.on('message', (data) => inbox.put(String(data)))
  const refused = once(socket, 'unexpected-response').then(([, response]) => {
    throw new Error(String(response.statusCode))
  })
  await Promise.race([once(socket, 'open'), refused])
  refused.catch(() => {})
  return { socket, inbox }
}

/** The subprotocol that carries a token. */
export const bearer = (token: string) => `market-bearer.${token}`
