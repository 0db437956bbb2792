import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { sql } from 'kysely'
import pg from 'pg'
import { ROOT, STATE_DIR } from '../cli/machine/paths.ts'
import { freePort } from '../cli/machine/ports.ts'
import { launch, type ProcessSpec, signal, untilReady } from '../cli/machine/process.ts'
import { indexUrls, roleUrls } from '../cli/stack/postgres/roleLogins.ts'
import { apiUrl, serviceSpec } from '../cli/stack/services.ts'
import { urnString } from '../protocol/encoding/urn.ts'
import { newAsk, newTrader, startMarket, type TestMarket, type Trader } from '../test/kit/api/trading.ts'
import type { Load, LoadResult } from './api/load.ts'
import type { Sale } from './api/yardstick.ts'
import { runningSecondsOf } from './processTime.ts'
import { type BenchRow, beside, figure, judged, percentile } from './rows.ts'

const BUYERS = 24
/** Short ones in turns, so that whatever slows the machine slows both sides. */
const ROUNDS = 20
/**
 * Requests of a side in a round, and before the first: so many make a process as fast as one that runs for
 * days.
 */
const REQUESTS = { place: 100, get: 400 }
const WARM_UP = { place: 3_000, get: 8_000 }
const IN_FLIGHT = 16
/** As many as the API has. */
const CONNECTIONS = 20
/** CPU, as a share of the bare route's. */
const GOAL = 0.5
const P99_GOAL_MS = 100
const READY_TIMEOUT_MS = 30_000
const ANSWERS = { place: 402, get: 200 } as const

type Operation = keyof typeof ANSWERS
type Server = { baseUrl: string; pid: number }
interface Round {
  perSecond: number
  /** CPU of a request: what is left of a core's second goes to nobody who is measured. */
  serverMs: number
  postgresMs: number
  latenciesMs: number[]
}

/**
 * Placing orders and reading them, of many accounts, by the API in a process of its own and by bare Hono
 * routes with the statements of another time (`api/yardstick.ts`), in turns on one Postgres.
 */
export async function bench(): Promise<BenchRow[]> {
  const market = await startMarket()
  const dir = await mkdtemp(join(tmpdir(), 'market-bench-'))
  try {
    const { loads, sales } = await prepare(market)
    const file = join(dir, 'sales.json')
    await writeFile(file, JSON.stringify(sales))
    const [ours, floor, generator] = [await startOurs(market), await startFloor(market, file), startGenerator()]
    try {
      const postgres = await postmaster(market)
      const rows: BenchRow[] = []
      for (const operation of ['place', 'get'] as const) {
        const stage = { ours, floor, postgres, generate: generator.generate, requests: loads[operation] }
        rows.push(...rowsOf(operation, await measure(operation, stage)))
      }
      return rows
    } finally {
      for (const { stop } of [ours, floor, generator]) stop()
    }
  } finally {
    await rm(dir, { recursive: true, force: true })
    await market.stop()
  }
}

interface Stage {
  ours: Server
  floor: Server
  postgres: number
  generate: (load: Load) => Promise<LoadResult>
  requests: Load['requests']
}

type Side = 'ours' | 'floor'
type Rounds = Record<Side, Round>[]

async function measure(operation: Operation, stage: Stage): Promise<Rounds> {
  for (const side of ['ours', 'floor'] as const) await runRound(stage, side, WARM_UP[operation])
  const rounds: Rounds = []
  for (let turn = 0; turn < ROUNDS; turn++) {
    const round: Partial<Rounds[number]> = {}
    // Neither is always the one that comes second.
    for (const side of turn % 2 === 0 ? (['ours', 'floor'] as const) : (['floor', 'ours'] as const))
      round[side] = await runRound(stage, side, REQUESTS[operation])
    rounds.push(round as Rounds[number])
  }
  return rounds
}

async function runRound(stage: Stage, side: Side, count: number): Promise<Round> {
  const { ours, floor, postgres, generate, requests } = stage
  const server = side === 'ours' ? ours : floor
  const before = [await runningSecondsOf(server.pid), await runningSecondsOf(postgres)] as const
  const { baseUrl } = server
  const { requests: answered, seconds, latenciesMs } = await generate({ baseUrl, count, inFlight: IN_FLIGHT, requests })
  const [ofServer, ofPostgres] = [await runningSecondsOf(server.pid), await runningSecondsOf(postgres)]
  return {
    perSecond: answered / seconds,
    serverMs: ((ofServer - before[0]) * 1000) / answered,
    postgresMs: ((ofPostgres - before[1]) * 1000) / answered,
    latenciesMs,
  }
}

function rowsOf(operation: Operation, rounds: Rounds): BenchRow[] {
  const name = operation === 'place' ? 'POST /v1/orders' : 'GET /v1/orders/{urn}'
  const of = (side: Side) => rounds.map((round) => round[side])
  const median = (side: Side, figureOf: (round: Round) => number) => percentile(of(side).map(figureOf), 0.5)
  const p99 = (side: Side) =>
    percentile(
      of(side).flatMap(({ latenciesMs }) => latenciesMs),
      0.99,
    )
  const cost = ({ serverMs, postgresMs }: Round) => serverMs + postgresMs
  // Each side is held against what the other took at that very time.
  const share = percentile(
    rounds.map(({ ours, floor }) => cost(ours) / cost(floor)),
    0.5,
  )
  const used = beside(
    `${name}, CPU of server and Postgres a request`,
    median('ours', cost),
    median('floor', cost),
    'ms',
  )
  const part = (what: string, figureOf: (round: Round) => number) =>
    beside(`${name}, CPU of ${what} a request`, median('ours', figureOf), median('floor', figureOf), 'ms')
  const latency = beside(`${name}, p99 with ${IN_FLIGHT} in flight`, p99('ours'), p99('floor'), 'ms')
  return [
    judged({ ...used, ratio: share }, `≤ ${GOAL}`, share <= GOAL),
    part('the server', ({ serverMs }) => serverMs),
    part('Postgres', ({ postgresMs }) => postgresMs),
    beside(
      `${name}, throughput`,
      median('ours', ({ perSecond }) => perSecond),
      median('floor', ({ perSecond }) => perSecond),
      'requests/s',
    ),
    judged(latency, `< ${P99_GOAL_MS}`, p99('ours') < P99_GOAL_MS),
    figure(`${name}, accounts`, BUYERS, ''),
  ]
}

function startGenerator() {
  const child = spawn(process.execPath, [`${ROOT}bench/api/load.ts`], { stdio: ['pipe', 'pipe', 'inherit'] })
  const results = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    generate: async (load: Load): Promise<LoadResult> => {
      child.stdin.write(`${JSON.stringify(load)}\n`)
      const { done, value } = await results.next()
      if (done) throw new Error('the load was not sent to its end')
      return JSON.parse(value)
    },
    stop: () => void child.kill('SIGKILL'),
  }
}

/** What each buyer sends, and what the yardstick needs to know to do the same. */
async function prepare(market: TestMarket) {
  const seller = await newTrader(market)
  const ask = (await newAsk(seller)).body
  const loads: Record<Operation, Load['requests']> = { place: [], get: [] }
  const sales: Sale[] = []
  for (let index = 0; index < BUYERS; index++) {
    const buyer = await newTrader(market, { wallet: 'unbound' })
    const place = requestOf(buyer, 'POST', '/v1/orders', { ask_urn: urnString('ask', ask), escrow_mode: 'custodied' })
    const placed = await send(market, place)
    const orderId = placed.body.order_urn.body
    const get = requestOf(buyer, 'GET', `/v1/orders/${urnString('order', orderId)}`)
    loads.place.push({ ...place, status: ANSWERS.place })
    loads.get.push({ ...get, status: ANSWERS.get })
    const { rows } = await sql<{ order: Record<string, unknown> }>`
      select to_jsonb(placed) as order from market.orders placed where id = ${orderId}`.execute(market.api.db)
    sales.push({
      authorization: `Bearer ${buyer.token}`,
      secretHash: createHash('sha256').update(buyer.token).digest('hex'),
      buyerId: buyer.agentId,
      buyerOwnerId: buyer.humanId,
      askId: ask,
      order: rows[0]?.order ?? {},
      answers: { place: placed, get: await send(market, get) },
    })
  }
  return { loads, sales }
}

type Sent = Omit<Load['requests'][number], 'status'>

function requestOf({ token }: Trader, method: string, path: string, body?: object): Sent {
  const headers = { authorization: `Bearer ${token}`, 'market-version': '2026-05-17' }
  if (!body) return { method, path, headers }
  return { method, path, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

async function send(market: TestMarket, { method, path, headers, body }: Sent) {
  const response = await fetch(market.api.baseUrl + path, { method, headers, ...(body ? { body } : {}) })
  return { status: response.status, body: (await response.json()) as { order_urn: { body: string } } }
}

async function startOurs({ api, chain }: TestMarket) {
  const settings = {
    databaseUrl: api.databaseUrl,
    roleUrls: roleUrls(api.databaseUrl),
    // Nothing listens there: no request that is measured reads the index.
    indexUrls: indexUrls('postgres://127.0.0.1:9/none'),
    rpcUrl: chain.rpcUrl,
    deployment: chain,
    apiPort: await freePort(),
    indexerPort: 0,
    blobDirectory: api.settings.blobDirectory,
    secretKey: randomBytes(32).toString('hex'),
    signingKey: randomBytes(32).toString('hex'),
  }
  return startServer(serviceSpec('api', settings), apiUrl(settings))
}

async function startFloor({ api }: TestMarket, sales: string) {
  const port = await freePort()
  const spec: ProcessSpec = {
    name: 'floor',
    command: process.execPath,
    args: [`${ROOT}bench/api/floor.ts`, api.databaseUrl, String(CONNECTIONS), sales, String(port)],
    env: {},
    stopSignal: 'SIGTERM',
    isReady: async (started) => started.output().includes('"port"'),
    readyTimeoutMs: READY_TIMEOUT_MS,
    restartable: false,
  }
  return startServer(spec, `http://127.0.0.1:${port}`)
}

async function startServer(spec: ProcessSpec, baseUrl: string) {
  const started = launch(spec, join(STATE_DIR, `logs/test/bench-${process.pid}-${spec.name}.log`))
  await untilReady(spec, started)
  return { baseUrl, pid: started.pid, stop: () => signal(started, 'SIGKILL') }
}

/** The process whose group is Postgres. */
async function postmaster({ api }: TestMarket): Promise<number> {
  const client = new pg.Client({ connectionString: api.databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ pid: string }>(
      "select split_part(pg_read_file('postmaster.pid'), E'\\n', 1) as pid",
    )
    return Number(rows[0]?.pid)
  } finally {
    await client.end()
  }
}
