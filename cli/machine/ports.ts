import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

// Below the range of ephemeral ports, so that a process that restarts finds its port still free.
const LOWEST_PORT = 10_240
const HIGHEST_PORT = 32_767
const ATTEMPTS = 100

/** Returns a TCP port of localhost that no process listens on. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = randomInt(LOWEST_PORT, HIGHEST_PORT + 1)
    if (await isFree(port)) return port
  }
  throw new Error(`no free port found between ${LOWEST_PORT} and ${HIGHEST_PORT}`)
}

/** A port that is taken until it is released. */
export interface HeldPort {
  port: number
  /** Frees it for the process that will listen there. A second call does nothing. */
  release: () => Promise<void>
}

/**
 * Takes a port of localhost, so that nobody else who looks for one chooses it. Returns undefined if it is
 * taken.
 */
export async function holdPort(port: number): Promise<HeldPort | undefined> {
  if ((await bind(port, '::1')) === 'EADDRINUSE') return undefined
  // Connections are closed as they arrive: an open one would keep the port from being released.
  const server = createServer((socket) => socket.destroy())
  const { promise, resolve } = Promise.withResolvers<boolean>()
  server.once('error', () => resolve(false))
  server.listen({ port, host: '127.0.0.1', exclusive: true }, () => resolve(true))
  if (!(await promise)) return undefined
  const closed = Promise.withResolvers<void>()
  server.once('close', closed.resolve)
  return {
    port,
    release: () => {
      if (server.listening) server.close()
      return closed.promise
    },
  }
}

/** Takes a free port of localhost. */
export async function holdFreePort(): Promise<HeldPort> {
  return (await holdPort(await freePort())) ?? holdFreePort()
}

/** Returns whether a port of localhost is free, by IPv4 and, where the machine has it, by IPv6. */
export async function isFree(port: number): Promise<boolean> {
  return (await bind(port, '127.0.0.1')) === undefined && (await bind(port, '::1')) !== 'EADDRINUSE'
}

/** Binds a port for a moment. Returns the code of the error if that failed, as `EADDRINUSE`. */
function bind(port: number, host: string): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  const server = createServer((socket) => socket.destroy())
  server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code))
  server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)))
  return promise
}
