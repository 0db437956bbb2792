import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

const SLOW_MS = 50
/** One in so many requests is answered with an error. */
const FAILING = 20
const HUNG = 0

/**
 * Receivers of webhooks: half of them answer at once, half after 50 ms, a twentieth of all answers are
 * errors.
 */
export interface Endpoints {
  urls: string[]
  /** When each order's event first arrived. */
  arrivals: ReadonlyMap<string, number>
  /** From now on the first endpoint never answers. */
  hang: () => void
  /** Those that answer. */
  healthy: () => ReadonlySet<number>
  stop: () => Promise<void>
}

/** Starts so many receivers on one port of loopback. */
export async function startEndpoints(count: number): Promise<Endpoints> {
  const arrivals = new Map<string, number>()
  let isHanging = false
  let requests = 0
  const answer = async (response: ServerResponse, place: number) => {
    if (isHanging && place === HUNG) return
    if (place % 2 === 1) await delay(SLOW_MS)
    response.writeHead(++requests % FAILING === 0 ? 500 : 204).end()
  }
  const server = createServer(async (request, response) => {
    const atMs = performance.now()
    let body = ''
    for await (const part of request.setEncoding('utf8')) body += part
    const orderUrn: string = JSON.parse(body).payload.order_urn
    if (!arrivals.has(orderUrn)) arrivals.set(orderUrn, atMs)
    await answer(response, Number(request.url?.slice(1)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const places = Array.from({ length: count }, (_, place) => place)
  return {
    urls: places.map((place) => `${base}/${place}`),
    arrivals,
    hang: () => {
      isHanging = true
    },
    healthy: () => new Set(places.filter((place) => !isHanging || place !== HUNG)),
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
