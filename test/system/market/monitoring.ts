import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { freePort } from '../../../cli/machine/ports.ts'
import { createMarket } from '../../../sdk/market.ts'
import { accept, createParties, deliver, fund, place, sign, untilOrder, untilSettled } from '../../e2e/trading.ts'
import { type Receiver, startReceiver } from '../../kit/api/platform/webhooks/receiver.ts'
import { alertRules, dashboardQueries, isInstalled, metricsIn } from '../../kit/monitoring/rules.ts'
import type { Collector } from '../../kit/stack/collector.ts'
import type { Stack } from '../../kit/stack/stack.ts'
import { until } from '../../kit/until.ts'

/** Where each process serves its metrics, by the name of Prometheus's job; Ponder's are `market-index`. */
export type Scraped = Readonly<Record<string, number>>

const traceparentOf = (traceId: string) => `00-${traceId}-${randomBytes(8).toString('hex')}-00`

/** What an operator sees of a trade: one trace, and metrics that the dashboard and the alerts know. */
export function monitoring(stackOf: () => Stack, collectorOf: () => Collector, scrapedOf: () => Scraped): void {
  describe('a market that is watched', () => {
    let stack: Stack
    let receiver: Receiver

    before(async () => {
      stack = stackOf()
      receiver = await startReceiver()
    })
    after(() => receiver?.stop())

    it('has one trace of a payment, from the request through the chain to the webhook, over three processes [risk trace-collector]', async () => {
      const [collector, traceId] = [collectorOf(), randomBytes(16).toString('hex')]
      collector.follow(traceId)
      const parties = await createParties(stack)
      const { buyer, seller } = parties
      await seller.human.call('createWebhook', { body: { url: receiver.url, event_types: ['order.funded'] } })
      const { urn, offer } = await place(parties, { mode: 'custodied' })
      const headers = { traceparent: traceparentOf(traceId) }
      const traced: typeof fetch = (url, request) =>
        fetch(url, { ...request, headers: { ...request?.headers, ...headers } })
      const client = createMarket({ baseUrl: stack.baseUrl, token: buyer.token, fetch: traced })
      await fund({ ...buyer, client }, urn, await sign(stack, offer, buyer.account))
      await deliver(seller, await untilOrder(seller, urn, 'funded'))
      await accept(buyer, urn)
      await untilSettled(buyer, urn)
      const [request] = await until(
        'the webhook',
        () => receiver.requests,
        ({ length }) => length > 0,
      )
      const [, sentTrace, sentSpan] = String(request?.headers.traceparent).split('-')
      expect(sentTrace).to.equal(traceId)
      const wanted = ['POST /v1/orders/{urn}/fund', 'intent deposit', 'settle payment', 'webhook attempt']
      const names = () => collector.spansOf(traceId).map(({ name }) => name)
      await until('every span', names, (found) => wanted.every((name) => found.includes(name)))
      const spans = collector.spansOf(traceId)
      const serviceOf = (name: string) => spans.find((span) => span.name === name)?.service
      expect(wanted.map(serviceOf)).to.deep.equal([
        ...['market-api', 'market-facilitator', 'market-worker', 'market-worker'],
      ])
      expect(spans.some(({ name }) => name.startsWith('jsonrpc eth_sendRawTransaction'))).to.equal(true)
      expect(spans.some(({ name, service }) => name === 'postgresql insert' && service === 'market-api')).to.equal(true)
      expect(spans.find(({ spanId }) => spanId === sentSpan)?.name).to.equal('webhook attempt')
      // Each follows from a span of the trace, but the first, which follows from the caller's.
      const known = new Set(spans.map(({ spanId }) => spanId))
      const loose = spans.filter(({ parentSpanId }) => !known.has(parentSpanId ?? ''))
      expect(loose.map(({ name }) => name)).to.deep.equal([wanted[0]])
      const told = JSON.stringify(spans)
      for (const secret of [buyer.token, seller.token]) expect(told).to.not.include(secret)
      for (const name of ['facilitator', 'worker'] as const) {
        const lines = stack.log(name).split('\n')
        expect(
          lines.filter((line) => line.includes(`"traceId":"${traceId}"`)),
          name,
        ).to.not.have.length(0)
      }
    })

    it('measures what the dashboard and the alerts read, in every process, and nothing by the id of a row', async () => {
      const scraped = new Set<string>()
      for (const [job, port] of Object.entries(scrapedOf())) {
        const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
        for (const [, name = ''] of text.matchAll(/^([a-z_]\w*)(?:\{| )/gm)) scraped.add(name)
        if (job === 'market-index') continue
        expect(text, job).to.match(/^nodejs_eventloop_lag_p99_seconds /m)
        // The addresses of the facilitator's keys are configuration.
        expect(text.replaceAll(/address="0x[0-9a-fA-F]{40}"/g, ''), job).to.not.match(
          /="[^"]*(?:[0-9a-f]{8}-[0-9a-f]{4}-|0x[0-9a-fA-F]{40}|market:\w+:)/,
        )
      }
      // Prometheus itself makes `up`.
      scraped.add('up')
      const read = [...dashboardQueries(), ...alertRules().map(({ text }) => text)].flatMap(metricsIn)
      expect(new Set(read).size).to.be.above(30)
      expect([...new Set(read)].filter((name) => !scraped.has(name))).to.deep.equal([])
    })

    const skip = isInstalled('prometheus') ? false : 'prometheus is not installed'
    it('answers every query of the dashboard in a real Prometheus, which knows no alert', { skip }, async () => {
      const prometheus = await startPrometheus(scrapedOf())
      try {
        const read = async (query: string) => ({ query, rows: await prometheus.query(query) })
        const unanswered = async () => {
          const answers = await Promise.all(dashboardQueries('1m').map(read))
          return answers.filter(({ rows }) => rows.length === 0).map(({ query }) => query)
        }
        // A rate is of two readings.
        await until('every query has an answer', unanswered, ({ length }) => length === 0, {
          limitMs: 30_000,
          pollMs: 500,
        })
        expect(await prometheus.query('sum(up)')).to.deep.equal([String(Object.keys(scrapedOf()).length)])
        expect(await prometheus.query('ALERTS{alertstate="firing", severity="page"}')).to.deep.equal([])
      } finally {
        await prometheus.stop()
      }
    })
  })
}

/** Runs Prometheus with the rules, on the processes of a stack. */
async function startPrometheus(scraped: Scraped) {
  const folder = mkdtempSync(join(tmpdir(), 'market-prometheus-'))
  const port = await freePort()
  const config = {
    global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
    rule_files: [`${process.cwd()}/deploy/monitoring/alerts.yaml`],
    scrape_configs: Object.entries(scraped).map(([job_name, target]) => ({
      job_name,
      static_configs: [{ targets: [`127.0.0.1:${target}`] }],
    })),
  }
  // JSON is YAML.
  writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(config))
  const args = [`--config.file=${folder}/prometheus.yml`, `--storage.tsdb.path=${folder}/data`]
  const child: ChildProcess = spawn(
    'prometheus',
    [...args, `--web.listen-address=127.0.0.1:${port}`, '--log.level=error'],
    { stdio: 'ignore' },
  )
  const exited = once(child, 'exit')
  const url = `http://127.0.0.1:${port}`
  const isReady = () =>
    fetch(`${url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  await until('Prometheus is ready', isReady, Boolean, { limitMs: 20_000 })
  return {
    /** The values that a query has now. Throws for one that Prometheus refuses. */
    async query(query: string): Promise<string[]> {
      const response = await fetch(`${url}/api/v1/query?${new URLSearchParams({ query })}`)
      const { status, data, error } = (await response.json()) as QueryAnswer
      if (status !== 'success') throw new Error(`${query}: ${error}`)
      return data.result.map(({ value }) => value[1])
    },
    async stop() {
      child.kill()
      await exited
      rmSync(folder, { recursive: true })
    },
  }
}

interface QueryAnswer {
  status: string
  error?: string
  data: { result: { value: [number, string] }[] }
}
