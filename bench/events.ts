import { setTimeout as delay } from 'node:timers/promises'
import { type Db, openPool } from '../api/platform/db/pool.ts'
import { showStep } from '../cli/terminal/progress.ts'
import { type Stack, startStack } from '../test/kit/stack/stack.ts'
import { type Account, newAccounts, subscribe } from './events/accounts.ts'
import { startBareSender } from './events/bareSender.ts'
import { type Endpoints, startEndpoints } from './events/endpoints.ts'
import { type Emitted, emitAtRate } from './events/load.ts'
import { openStreams } from './events/streams.ts'
import { cpuSecondsOf } from './processTime.ts'
import { type BenchRow, beside, figure, judged, percentile } from './rows.ts'

const ACCOUNTS = 100
const SECONDS = 20
const RATES = [50, 100, 200]
const RATE = 100
const STREAMS_AN_ACCOUNT = 20
const STREAM_RATE = 50
const MAX_CONNECTIONS = 8
const DRAIN_MS = 15_000
const P99_GOAL_MS = 1_000
const HUNG_GOAL = 1.3
const KIB = 1_024

/** Webhooks and streams of the real processes: from the commit of an event to its receivers. */
export async function bench(): Promise<BenchRow[]> {
  const stack = await startStack({ processes: ['indexer', 'worker', 'api'] })
  const db = openPool(stack.databaseUrl, { max: MAX_CONNECTIONS, onError: () => {} })
  const endpoints = await startEndpoints(ACCOUNTS)
  try {
    const accounts = await showStep('Creating the accounts', () => newAccounts(stack, ACCOUNTS))
    const streams = await showStep('Measuring streams', () => streamRows(stack, db, accounts))
    await showStep('Subscribing', () => subscribe(stack, accounts, endpoints.urls))
    return [...(await webhookRows(stack, db, accounts, endpoints)), ...streams]
  } finally {
    await endpoints.stop()
    await db.destroy()
    await stack.stop()
  }
}

async function webhookRows(stack: Stack, db: Db, accounts: Account[], endpoints: Endpoints): Promise<BenchRow[]> {
  const measure = async (rate: number) => {
    const cpuBefore = await cpuSecondsOf(stack.pid('worker'))
    const emitted = await emitAtRate(db, accounts, { rate, seconds: SECONDS })
    await delay(DRAIN_MS)
    const cpuSeconds = (await cpuSecondsOf(stack.pid('worker'))) - cpuBefore
    return { latenciesMs: latencies(emitted, endpoints.healthy(), endpoints.arrivals), cpuSeconds, emitted }
  }
  const calm = await showStep(`Sending ${RATE} events/s`, () => measure(RATE))
  const bare = await showStep('The same by a bare queue', () => bareCpuSeconds(stack, endpoints, calm.emitted))
  endpoints.hang()
  const rows: BenchRow[] = []
  for (const rate of RATES) {
    const { latenciesMs } = await showStep(`${rate} events/s, one endpoint hangs`, () => measure(rate))
    rows.push(...latencyRows(`webhooks, ${rate}/s, one hangs`, latenciesMs, rate === RATE ? P99_GOAL_MS : undefined))
    if (rate !== RATE) continue
    const [with95, without95] = [percentile(latenciesMs, 0.95), percentile(calm.latenciesMs, 0.95)]
    const row = beside('healthy endpoints, p95, one hangs', with95, without95, 'ms')
    rows.push(judged(row, `≤ ${HUNG_GOAL}`, with95 / without95 <= HUNG_GOAL))
  }
  const perThousand = 1_000 / calm.emitted.length
  return [
    ...latencyRows(`webhooks, ${RATE}/s`, calm.latenciesMs, P99_GOAL_MS),
    ...rows,
    beside('CPU for 1,000 deliveries', calm.cpuSeconds * perThousand, bare * perThousand, 's'),
  ]
}

async function bareCpuSeconds(stack: Stack, endpoints: Endpoints, emitted: readonly Emitted[]): Promise<number> {
  const sender = await startBareSender(stack.databaseUrl)
  try {
    const before = await cpuSecondsOf(sender.pid)
    const jobs = emitted.map(({ account }, at) => ({ url: endpoints.urls[account] ?? '', body: bodyOf(at) }))
    await sender.send(jobs, RATE)
    return (await cpuSecondsOf(sender.pid)) - before
  } finally {
    await sender.stop()
  }
}

function bodyOf(at: number): string {
  return JSON.stringify({ event_id: `bare-${at}`, event_type: 'order.funded', payload: { filling: 'x'.repeat(300) } })
}

async function streamRows(stack: Stack, db: Db, accounts: Account[]): Promise<BenchRow[]> {
  const streams = await openStreams(stack, accounts, STREAMS_AN_ACCOUNT)
  try {
    const emitted = await emitAtRate(db, accounts, { rate: STREAM_RATE, seconds: SECONDS })
    await delay(DRAIN_MS / 5)
    const committedMs = new Map(emitted.map(({ orderUrn, committedMs }) => [orderUrn, committedMs]))
    const samples = streams.received.flatMap(({ orderUrn, atMs }) => {
      const since = committedMs.get(orderUrn)
      return since === undefined ? [] : [atMs - since]
    })
    const due = emitted.length * STREAMS_AN_ACCOUNT
    const name = `streams, ${streams.count} open, ${STREAM_RATE}/s`
    return [
      ...latencyRows(name, samples),
      judged(figure(`${name}: received`, samples.length, 'events'), `= ${due}`, samples.length === due),
      figure('streams: memory of one', streams.bytesEach / KIB, 'KiB'),
    ]
  } finally {
    streams.close()
  }
}

function latencies(emitted: readonly Emitted[], healthy: ReadonlySet<number>, arrivals: ReadonlyMap<string, number>) {
  return emitted
    .filter(({ account }) => healthy.has(account))
    .map(({ orderUrn, committedMs }) => (arrivals.get(orderUrn) ?? Number.POSITIVE_INFINITY) - committedMs)
}

function latencyRows(name: string, samplesMs: readonly number[], goalMs?: number): BenchRow[] {
  const p99 = figure(`${name}: p99`, percentile(samplesMs, 0.99), 'ms')
  return [
    figure(`${name}: p50`, percentile(samplesMs, 0.5), 'ms'),
    figure(`${name}: p95`, percentile(samplesMs, 0.95), 'ms'),
    goalMs === undefined ? p99 : judged(p99, `< ${goalMs}`, p99.ours < goalMs),
  ]
}
