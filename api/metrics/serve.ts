import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { describeFault } from '../faults.ts'
import type { Db } from '../platform/db/pool.ts'
import { readMetrics } from './gauges.ts'

const PATH = '/metrics'

/** A server of metrics. */
export interface MetricsServer {
  port: number
  stop: () => void
}

/**
 * Serves `GET /metrics` on a port of its own, in the operator's network and apart from the API's. Port 0 is any free
 * one. Rejects if the port is taken.
 */
export async function serveMetrics(db: Db, log: Logger, at: { host: string; port: number }): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    if (request.method === 'GET' && request.url === PATH) void answer(db, log, response)
    else response.writeHead(404).end()
  })
  server.listen(at.port, at.host)
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the metrics have no port')
  return {
    port: address.port,
    stop: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function answer(db: Db, log: Logger, response: ServerResponse): Promise<void> {
  try {
    const { contentType, text } = await readMetrics(db)
    response.writeHead(200, { 'Content-Type': contentType }).end(text)
  } catch (error) {
    log.warn({ fault: describeFault(error) }, 'no metrics')
    response.writeHead(503, { 'Retry-After': '1' }).end()
  }
}
