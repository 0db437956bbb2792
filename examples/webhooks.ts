// A webhook receiver: registers a URL, verifies each request to it, and processes each event once.
// ./market node examples/webhooks.ts [.market/sandbox.json] [--events <number>]
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { createMarket } from '../sdk/market.ts'
import { verifyWebhook, WebhookSignatureError } from '../sdk/webhooks.ts'
import { readPlace, say } from './agent.ts'

const { values, positionals } = parseArgs({ allowPositionals: true, options: { events: { type: 'string' } } })
const { base_url: baseUrl, human_token: token } = await readPlace(positionals[0])

let secret = ''
// A real receiver stores these ids with its other data, and commits both together.
const seen = new Set<string>()
let left = Number(values.events ?? Number.POSITIVE_INFINITY)

const server = createServer(async (request, response) => {
  try {
    // The bytes as they were received: parsing comes after the signature.
    const body = await text(request)
    const event = await verifyWebhook({ body, signature: String(request.headers['market-signature']), secret })
    // Answer first, work afterwards. The same event can come again: it has the same id.
    response.writeHead(204).end()
    if (seen.has(event.event_id)) return
    seen.add(event.event_id)
    say(`${event.event_type} ${JSON.stringify(event.payload)}`)
    if (--left === 0) server.close()
  } catch (error) {
    response.writeHead(error instanceof WebhookSignatureError ? 401 : 500).end()
  }
})
server.listen(0, '127.0.0.1', async () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/market`
  const market = createMarket({ baseUrl, token })
  const { body } = await market.call('createWebhook', { body: { url, event_types: ['order.*', 'receipt.finalized'] } })
  // Shown only once: keep it like a password.
  secret = body.secret
  say(`listening at ${url}`)
})
