import { Agent, createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A JSON-RPC call on its way to the node. */
export interface RpcCall {
  method: string
  params: readonly unknown[]
  /** Whether the caller's connection has ended: whoever asked is dead. */
  isAbandoned: () => boolean
}

/**
 * What is done with a call instead of passing it on. `forward` passes it on and answers what the node says.
 * An undefined answer cuts the caller's connection.
 */
export type Interceptor = (call: RpcCall, forward: () => Promise<string>) => Promise<string | undefined>

/** A proxy on the way to a node, where a test can stop, drop and time calls. */
export interface RpcProxy {
  url: string
  /** From now on; undefined passes everything on. */
  intercept: (interceptor: Interceptor | undefined) => void
  stop: () => void
}

/** Starts a proxy to the node at `rpcUrl`. */
export async function startRpcProxy(rpcUrl: string): Promise<RpcProxy> {
  let interceptor: Interceptor | undefined
  const agent = new Agent({ keepAlive: true })
  const node = { url: new URL(rpcUrl), agent }
  const server = createServer((request, response) => {
    void relay(node, request, response, interceptor).catch(() => response.destroy())
  })
  const { promise: listening, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await listening
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    intercept: (next) => {
      interceptor = next
    },
    stop: () => {
      server.close()
      server.closeAllConnections()
      agent.destroy()
    },
  }
}

interface Node {
  url: URL
  agent: Agent
}

async function relay(
  node: Node,
  request: IncomingMessage,
  response: ServerResponse,
  interceptor: Interceptor | undefined,
): Promise<void> {
  const body = await text(request)
  const asked = JSON.parse(body) as Asked | Asked[]
  const isAbandoned = () => request.socket.destroyed
  const answer = interceptor ? await intercepted(node, asked, interceptor, isAbandoned) : await post(node, body)
  if (answer === undefined) request.socket.destroy()
  else response.setHeader('content-type', 'application/json').end(answer)
}

interface Asked {
  id: number
  method: string
  params?: unknown[]
}

/**
 * What is said to each question by itself, together where they were asked together. Undefined where one has
 * no answer.
 */
async function intercepted(
  node: Node,
  asked: Asked | Asked[],
  interceptor: Interceptor,
  isAbandoned: () => boolean,
): Promise<string | undefined> {
  if (Array.isArray(asked)) {
    const answers = await Promise.all(asked.map((each) => intercepted(node, each, interceptor, isAbandoned)))
    return answers.includes(undefined) ? undefined : `[${answers.join()}]`
  }
  const { id, method, params = [] } = asked
  // What an interceptor made up bears the id 1, whatever was asked.
  const answer = await interceptor({ method, params, isAbandoned }, () => post(node, JSON.stringify(asked)))
  return answer?.replace('"id":1,', `"id":${id},`)
}

// Not fetch: it would take more time than all else that the test does.
async function post({ url, agent }: Node, body: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const headers = { 'content-type': 'application/json' }
  httpRequest(url, { method: 'POST', agent, headers }, resolve).once('error', reject).end(body)
  return text(await promise)
}
