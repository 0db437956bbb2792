import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, it } from 'node:test'
import pino from 'pino'
import { serveMetrics } from '../../../protocol/telemetry/metrics.ts'
import { startReceiver } from '../../kit/api/platform/webhooks/receiver.ts'
import { startEndpoint } from '../../kit/api/trading/disputes/model/endpoint.ts'
import { startFakeScanner } from '../../kit/api/workspace/clamd.ts'
import { startMailServer } from '../../kit/api/workspace/mailServer.ts'
import { startPushService } from '../../kit/api/workspace/pushReceiver.ts'
import { startSilentServer } from '../../kit/stack/hang.ts'
import { openWay } from '../../kit/stack/standby.ts'

interface Server {
  /** A port of this machine, or the path of a socket. */
  at: number | string
  stop: () => Promise<void> | void
}

const SERVERS: Record<string, () => Promise<Server>> = {
  metrics: async () => {
    const server = await serveMetrics(pino({ enabled: false }), { METRICS_HOST: '127.0.0.1', METRICS_PORT: 0 })
    if (!server) throw new Error('no metrics are served')
    return { at: server.port, stop: server.stop }
  },
  'the receiver of webhooks': async () => reached(await startReceiver()),
  'the push service': async () => reached(await startPushService()),
  'the model': async () => reached(await startEndpoint()),
  'the mail server': async () => reached(await startMailServer()),
  'the scanner': async () => {
    const { path: at, stop } = await startFakeScanner(() => () => ({}))
    return { at, stop }
  },
  'the silent server': async () => {
    const { host, stop } = await startSilentServer()
    return reached({ url: `tcp://${host}`, stop })
  },
  'the way to a database': async () => {
    const silent = await startSilentServer()
    const way = await openWay(`postgres://${silent.host}/none`)
    return reached({
      url: way.url,
      stop: () => {
        way.stop()
        silent.stop()
      },
    })
  },
}

describe('a server of ours', () => {
  for (const [name, start] of Object.entries(SERVERS))
    it(`stops while a client has sent nothing, or half a request: ${name}`, { timeout: 10_000 }, async () => {
      const { at, stop } = await start()
      const clients = ['', 'GET / HTTP/1.1\r\nHost: loc', '\0'].map((sent) => {
        const to = typeof at === 'number' ? { port: at, host: '127.0.0.1' } : { path: at }
        const client = connect(to).on('error', () => {})
        client.write(sent)
        return client
      })
      await Promise.all(clients.map((client) => once(client, 'connect')))
      const closed = clients.map((client) => new Promise((resolve) => client.resume().once('close', resolve)))
      await stop()
      await Promise.all(closed)
    })
})

function reached({ url, stop }: { url: string; stop: Server['stop'] }): Server {
  return { at: Number(new URL(url).port), stop }
}
