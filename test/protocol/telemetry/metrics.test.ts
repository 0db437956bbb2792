import { Writable } from 'node:stream'
import { after, describe, it } from 'node:test'
import { expect } from 'chai'
import { pino } from 'pino'
import { openLog } from '../../../protocol/telemetry/log.ts'
import { alarms, type MetricsServer, serveMetrics } from '../../../protocol/telemetry/metrics.ts'
import { inTrace } from '../../../protocol/telemetry/trace.ts'

const AT = { METRICS_HOST: '127.0.0.1', METRICS_PORT: 0 }
const silent = pino({ level: 'silent' })

describe('the metrics of a process', () => {
  const servers: (MetricsServer | undefined)[] = []

  after(() => {
    for (const server of servers) server?.stop()
  })

  const ask = async (parts: (() => Promise<string>)[], path = '/metrics', method = 'GET') => {
    const server = await serveMetrics(silent, AT, { parts, partMs: 20 })
    servers.push(server)
    const response = await fetch(`http://127.0.0.1:${server?.port}${path}`, { method })
    return { status: response.status, text: await response.text() }
  }

  it('are served without a part that fails or hangs, as when its database is down', async () => {
    const { status, text } = await ask([
      async () => 'one 1',
      () => Promise.reject(new Error('the database is away')),
      () => new Promise(() => {}),
    ])
    expect(status).to.equal(200)
    expect(text).to.match(/^nodejs_eventloop_lag_p99_seconds [0-9.e-]+$/m)
    expect(text).to.match(/^process_resident_memory_bytes \d+$/m)
    expect(text).to.match(/^one 1$/m)
  })

  it('are at one path, and nowhere without a port', async () => {
    expect((await ask([], '/')).status).to.equal(404)
    expect((await ask([], '/metrics', 'POST')).status).to.equal(404)
    expect(await serveMetrics(silent, { METRICS_HOST: '127.0.0.1' })).to.equal(undefined)
  })
})

describe('a line of the log', () => {
  const lines: Record<string, unknown>[] = []
  const log = openLog(
    'test',
    {},
    new Writable({
      write(line, _encoding, done) {
        lines.push(JSON.parse(String(line)))
        done()
      },
    }),
  )

  it('has one shape, with its trace where there is one, and is counted where it needs a person', async () => {
    const counted = async () => (await alarms.get()).values[0]?.value ?? 0
    const before = await counted()
    log.info('plain')
    inTrace('00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', () =>
      log.error({ alarm: true, what: 'it' }, 'somebody must look'),
    )
    log.warn({ alarm: false }, 'no alarm')
    const [plain, alarm] = lines
    expect(Object.keys(plain ?? {})).to.have.members(['level', 'time', 'pid', 'hostname', 'name', 'msg'])
    expect(new Date(String(plain?.time)).toISOString()).to.equal(plain?.time)
    expect(alarm).to.include({ alarm: true, what: 'it', traceId: '4bf92f3577b34da6a3ce929d0e0e4736', name: 'test' })
    expect(await counted()).to.equal(before + 1)
  })
})
