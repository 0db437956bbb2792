import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { createMarket } from '../../../../sdk/market.ts'
import { verifyWebhook } from '../../../../sdk/webhooks.ts'

/** A channel that the demonstration follows its trades on, and the ids of the events it received. */
export interface Watcher {
  channel: string
  seen: Set<string>
  stop: () => Promise<void>
}

/** The market to read events from, and the token to use. */
export interface Place {
  baseUrl: string
  token: string
}

const TAKEN = 204
const REFUSED = 400

/**
 * Starts a receiver of an agent's webhook. It accepts only requests that are signed with the webhook's
 * secret.
 */
export async function startReceiver(place: Place): Promise<Watcher> {
  const seen = new Set<string>()
  const secret = Promise.withResolvers<string>()
  const server = createServer(async (request, response) => {
    try {
      const { event_id } = await verifyWebhook({
        body: await bodyOf(request),
        signature: request.headers['market-signature']?.toString(),
        secret: await secret.promise,
      })
      seen.add(event_id)
      response.writeHead(TAKEN).end()
    } catch {
      response.writeHead(REFUSED).end()
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = createMarket(place)
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const { body: created } = await client.call('createWebhook', { body: { url, event_types: ['*'] } })
  secret.resolve(created.secret)
  const stop = async () => {
    await client.call('deleteWebhook', { params: { urn: urnString('webhook', created.subscription.urn.body) } })
    server.close()
    server.closeAllConnections()
  }
  return { channel: 'webhook receiver', seen, stop }
}

async function bodyOf(request: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(Buffer.concat(await request.toArray()))
}
