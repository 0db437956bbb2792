import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

// Below the range of ephemeral ports, so that a process that restarts finds its port still free.
const LOWEST_PORT = 10_240
const HIGHEST_PORT = 32_767
const ATTEMPTS = 100

/** Returns a TCP port of 127.0.0.1 that no process listens on. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = randomInt(LOWEST_PORT, HIGHEST_PORT + 1)
    if (await isFree(port)) return port
  }
  throw new Error(`no free port found between ${LOWEST_PORT} and ${HIGHEST_PORT}`)
}

/** Returns whether `port` of 127.0.0.1 is free. */
export function isFree(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const server = createServer()
  server.once('error', () => resolve(false))
  server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)))
  return promise
}
