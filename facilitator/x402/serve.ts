import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import type { Address } from 'viem'
import { summary } from '../context/summary.ts'
import type { Facilitator } from '../evidence/pass.ts'
import type { Session } from '../file/session.ts'
import { createX402App } from './internal/app.ts'
import { createFiles } from './internal/files.ts'
import { HeadWatch } from './internal/headWatch.ts'
import type { X402Settings } from './settings.ts'

const RETRY_MS = 5_000
const DRAIN_TIMEOUT_MS = 5_000
const IDLE_SWEEP_MS = 50
// The client or the proxy must close an idle connection first, or its next request can meet the end of the
// connection.
const LIMITS = { requestTimeout: 30_000, headersTimeout: 10_000, keepAliveTimeout: 75_000, maxHeaderSize: 16_384 }

/** The dependencies of the interface besides the facilitator that holds the lease. */
export interface X402Resources {
  session: Session
  submitters: readonly Address[]
  pollIntervalMs: number
}

/**
 * Serves the x402 interface, if configured, until `stop` aborts; then completes open requests. Retries while
 * the port is taken: payments do not depend on this interface.
 */
export async function serveX402(
  facilitator: Facilitator,
  settings: X402Settings | undefined,
  { session, submitters, pollIntervalMs }: X402Resources,
  stop: AbortSignal,
): Promise<void> {
  if (!settings) return
  const { log } = facilitator
  const heads = new HeadWatch(facilitator, { pollIntervalMs, stop })
  const app = createX402App({ ...facilitator, files: createFiles(session), heads, submitters }, settings)
  while (!stop.aborted) {
    try {
      const server = createServer(LIMITS, getRequestListener(app.fetch))
      server.listen(settings.port, settings.host)
      await once(server, 'listening')
      log.info({ host: settings.host, port: (server.address() as AddressInfo).port }, 'x402 interface listens')
      if (!stop.aborted) await once(stop, 'abort')
      await drain(server)
    } catch (error) {
      log.error({ alarm: true, error: summary(error) }, 'x402 interface cannot listen')
      await delay(RETRY_MS, undefined, { signal: stop }).catch(() => {})
    }
  }
}

async function drain(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  // A kept-alive connection becomes idle once its answer is sent, which close() does not wait for.
  const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS)
  const cutOff = setTimeout(() => server.closeAllConnections(), DRAIN_TIMEOUT_MS)
  await closed
  clearInterval(sweep)
  clearTimeout(cutOff)
}
