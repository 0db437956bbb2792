import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
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
  const server = createServer((request, response) => {
    void relay(rpcUrl, request, response, interceptor).catch(() => response.destroy())
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
    },
  }
}

async function relay(
  rpcUrl: string,
  request: IncomingMessage,
  response: ServerResponse,
  interceptor: Interceptor | undefined,
): Promise<void> {
  const body = await text(request)
  const forward = async () => {
    const answer = await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    return answer.text()
  }
  const { method, params = [] } = JSON.parse(body) as { method: string; params?: unknown[] }
  const call = { method, params, isAbandoned: () => request.socket.destroyed }
  const answer = interceptor ? await interceptor(call, forward) : await forward()
  if (answer === undefined) request.socket.destroy()
  else response.setHeader('content-type', 'application/json').end(answer)
}
