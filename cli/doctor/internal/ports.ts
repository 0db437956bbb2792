import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Check, Fault } from './check.ts'
import type { Place, PortPlace } from './place.ts'

/** Checks that a process can listen on its ports, or does already. */
export function portChecks({ ports, process }: Place): Check[] {
  return ports.map((place) => ({
    name: place.variable,
    cure: `see what listens on port ${place.port}`,
    find: (signal) => faultsOf(place, process, signal),
  }))
}

async function faultsOf(place: PortPlace, process: string, signal: AbortSignal): Promise<Fault[]> {
  const { variable, host, port } = place
  const code = await bind(host, port)
  if (code === undefined || (code === 'EADDRINUSE' && (await isOurs(place, signal)))) return []
  const cures: Partial<Record<string, string>> = {
    EADDRINUSE: `end the program that listens there, or set ${variable} to another port`,
    EADDRNOTAVAIL: 'set the host to an address of this machine',
    EACCES: `set ${variable} to a port of 1024 or above`,
  }
  const fault =
    code === 'EADDRINUSE' ? `another program than this ${process} listens there` : `it cannot listen (${code})`
  return [{ fault: `port ${port} of ${host}: ${fault}`, cure: cures[code] ?? 'see the error' }]
}

/** Listens for a moment. Returns the code of the error if that fails. */
async function bind(host: string, port: number): Promise<string | undefined> {
  const server = createServer((socket) => socket.destroy())
  server.listen({ host, port, exclusive: true })
  try {
    await once(server, 'listening')
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown'
  }
  server.close()
  await once(server, 'close')
  return undefined
}

/** Whether who listens answers as our process does: x402 asks for its secret. */
async function isOurs({ host, port, path }: PortPlace, signal: AbortSignal): Promise<boolean> {
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host
  const answer = await fetch(`http://${reached}:${port}${path}`, { signal, redirect: 'error' }).catch(() => undefined)
  await answer?.body?.cancel()
  return answer?.status === 200 || (path === '/supported' && answer?.status === 401)
}
