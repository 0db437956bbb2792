import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { Counter, collectDefaultMetrics, Registry } from '@prometheus-io/client'
import type { Logger } from 'pino'

const PATH = '/metrics'
/** A part that hangs, with its database, does not hide the others. */
const PART_MS = 2_000

/**
 * The measurements of this process. No label has a value that a caller chooses, and no metric the id of a
 * row.
 */
export const registry = new Registry()

/** Lines of the log that need a person. */
export const alarms = new Counter({
  name: 'market_alarms_total',
  help: 'Lines of the log with alarm: true.',
  registers: [registry],
})

/** A server of metrics. */
export interface MetricsServer {
  port: number
  stop: () => void
}

/** Where metrics are served; without a port they are not. */
export interface MetricsPlace {
  METRICS_HOST: string
  METRICS_PORT?: number | undefined
}

/** What is read elsewhere when it is asked for, and how long each may take. */
interface Parts {
  parts: readonly (() => Promise<string>)[]
  partMs: number
}

/**
 * Serves `GET /metrics` in the text format of Prometheus, on a port of its own in the operator's network: the
 * process's own measurements, and those that each of the `parts` reads when it is asked. A part that fails or
 * hangs is left out. Port 0 is any free one. Returns undefined without a port. Rejects if the port is taken.
 */
export async function serveMetrics(
  log: Logger,
  { METRICS_HOST: host, METRICS_PORT: port }: MetricsPlace,
  { parts = [], partMs = PART_MS }: Partial<Parts> = {},
): Promise<MetricsServer | undefined> {
  if (port === undefined) return undefined
  if (!registry.getSingleMetric('process_cpu_seconds_total')) collectDefaultMetrics({ register: registry })
  const server = createServer((request, response) => {
    if (request.method === 'GET' && request.url === PATH) void answer(log, { parts, partMs }, response)
    else response.writeHead(404).end()
  })
  server.listen(port, host)
  // A process that has nothing else to do ends.
  server.unref()
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

async function answer(log: Logger, { parts, partMs }: Parts, response: ServerResponse): Promise<void> {
  const texts = await Promise.all([registry.metrics(), ...parts.map((read) => partOf(log, read, partMs))])
  response.writeHead(200, { 'Content-Type': registry.contentType }).end(texts.join('\n'))
}

async function partOf(log: Logger, read: () => Promise<string>, partMs: number): Promise<string> {
  const late = new AbortController()
  const text = read().catch((error: unknown) => {
    log.warn({ fault: error instanceof Error ? error.name : typeof error }, 'a part of the metrics cannot be read')
    return ''
  })
  const none = delay(partMs, '', { signal: late.signal }).catch(() => '')
  return Promise.race([text, none]).finally(() => late.abort())
}
