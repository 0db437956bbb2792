import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A way to a server that resets its connections. */
export interface CuttingProxy {
  baseUrl: string
  /** How many times it has cut. */
  cuts: () => number
  stop: () => void
}

/**
 * Opens a way to a server on loopback that cuts each time so many bytes in all have been sent to the server.
 */
export async function startCuttingProxy(serverUrl: string, cutAtBytes: readonly number[]): Promise<CuttingProxy> {
  const { hostname, port } = new URL(serverUrl)
  const open = new Set<Socket>()
  let sentBytes = 0
  let cuts = 0
  const count = ({ byteLength }: Buffer) => {
    sentBytes += byteLength
    if (sentBytes < (cutAtBytes[cuts] ?? Number.POSITIVE_INFINITY)) return
    cuts++
    for (const socket of open) socket.resetAndDestroy()
  }
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname)
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      open.add(one)
      one
        .on('error', () => {})
        .on('close', () => {
          open.delete(one)
          other.destroy()
        })
    }
    client.on('data', count)
    client.pipe(server).pipe(client)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address() as { port: number }
  return {
    baseUrl: `http://127.0.0.1:${address.port}`,
    cuts: () => cuts,
    stop: () => {
      for (const socket of open) socket.destroy()
      proxy.close()
    },
  }
}
