import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as the receiver got it. */
export interface ReceivedRequest {
  path: string
  headers: IncomingHttpHeaders
  body: string
  event: { event_id: string; event_type: string; payload: Record<string, unknown>; created_at: string }
}

/** Answers a request; one that does nothing leaves the sender waiting. */
export type Respond = (response: ServerResponse, request: ReceivedRequest) => void

/** A receiver of webhooks on loopback. */
export interface Receiver {
  url: string
  requests: ReceivedRequest[]
  /** How many requests it had at once, at most. */
  mostAtOnce: () => number
  respond: Respond
  /** Ends the connections there are. */
  disconnect: () => void
  stop: () => Promise<void>
}

/** Answers with a status and a body. */
export const answering =
  (status: number, body = '', headers: Record<string, string> = {}): Respond =>
  (response) =>
    response.writeHead(status, headers).end(body)

/** Answers nothing. */
export const hanging: Respond = () => {}

/** Starts a receiver on a free port. Until told otherwise it answers 200. */
export async function startReceiver(respond: Respond = answering(200)): Promise<Receiver> {
  const requests: ReceivedRequest[] = []
  let [open, most] = [0, 0]
  const server = createServer(async (request, response) => {
    most = Math.max(most, ++open)
    response.on('close', () => open--)
    let body = ''
    for await (const part of request.setEncoding('utf8')) body += part
    const received = { path: request.url ?? '', headers: request.headers, body, event: JSON.parse(body) }
    requests.push(received)
    receiver.respond(response, received)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    requests,
    mostAtOnce: () => most,
    respond,
    disconnect: () => server.closeAllConnections(),
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return receiver
}
