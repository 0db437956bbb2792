import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../../cli/machine/ports.ts'
import type { ProcessSpec } from '../../cli/machine/process.ts'
import { Supervisor } from '../../cli/stack/internal/supervisor.ts'
import { apiUrl, type ServiceName, type ServiceSettings, serviceSpec } from '../../cli/stack/services.ts'
import { type RpcProxy, startRpcProxy } from '../e2e/rpcProxy.ts'
import { startRedis, type TestRedis, withoutRedis } from '../kit/redis.ts'
import { type Stack, startStack } from '../kit/stack/stack.ts'
import { openWay, type Way } from '../kit/stack/standby.ts'
import { until } from '../kit/until.ts'
import { missingDisks, mountDisk, unmountDisks } from './disks.ts'
import { type Postgres, startPostgres } from './postgres.ts'

const PROCESSES: Readonly<Record<ServiceName, number>> = { indexer: 1, facilitator: 2, worker: 2, api: 2 }
const FILES_DISK_BYTES = 134_217_728
const MINING_INTERVAL_MS = 500
const READY_LIMIT_MS = 120_000
const SHIFTED_CLOCK = new URL('shiftedClock.ts', import.meta.url).href
const MS_PER_SECOND = 1_000

/** One of the market's processes. */
export interface Process {
  name: string
  service: ServiceName
  /** Between it and Postgres. */
  way: Way
  /** Sends a signal to it and its children. */
  signal: (name: NodeJS.Signals) => void
  /** SIGKILL, without a restart. */
  kill: () => Promise<void>
  /** The signal that an operator sends, without a restart. */
  end: () => Promise<void>
  /** Starts it again, with a clock that is wrong by so many seconds, and waits until it serves. */
  start: (clockShiftSeconds?: number) => Promise<void>
}

/** A whole market, everything of which can fail. */
export interface FaultMarket {
  stack: Stack
  processes: readonly Process[]
  postgres: Postgres
  redis: TestRedis | undefined
  /** Between the node and the processes of each kind. */
  nodes: ReadonlyMap<string, RpcProxy>
  /** The addresses of the API's processes. */
  apiUrls: readonly string[]
  filesDir: string
  /** What a process has said since it was last started. */
  log: (name: string) => string
  /** What ended by itself since the last call. */
  takeNotices: () => string[]
  /** Waits until every API says that all parts are alive. */
  untilReady: () => Promise<void>
  stop: () => Promise<void>
}

/**
 * Starts two api, two workers, two facilitators and an indexer, as several machines would have them. Their
 * logs and files are in `logDir`.
 */
export async function startFaultMarket(logDir: string): Promise<FaultMarket> {
  const undo: (() => Promise<void> | void)[] = [unmountDisks]
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    const postgres = await startPostgres(logDir)
    undo.push(postgres.stop)
    const redis = withoutRedis() ? undefined : await startRedis()
    if (redis) undo.push(redis.stop)
    const filesDir = await makeFilesDir(join(logDir, 'files'))
    const env = { BLOB_DIR: filesDir, SINGLE_API: 'false', ...(redis ? { REDIS_URL: redis.url } : {}) }
    const stack = await startStack({ processes: [], server: postgres.url, miningIntervalMs: MINING_INTERVAL_MS, env })
    undo.push(stack.stop)
    const notices: string[] = []
    const supervisor = new Supervisor({ logDir, onNotice: (notice) => notices.push(notice) })
    const nodes = new Map<string, RpcProxy>()
    for (const kind of ['indexer', 'facilitators', 'api and workers']) {
      const proxy = await startRpcProxy(stack.rpcUrl)
      nodes.set(kind, proxy)
      undo.push(proxy.stop)
    }
    undo.push(() => supervisor.stop())
    const started = await Promise.all(instances().map((one) => startProcess(stack, supervisor, nodes, one)))
    for (const { way } of started) undo.unshift(way.stop)
    const apiUrls = started.flatMap(({ url }) => url ?? [])
    return {
      ...{ stack, processes: started, postgres, redis, nodes, apiUrls, filesDir, stop },
      log: (name) => supervisor.output(name),
      takeNotices: () => notices.splice(0),
      untilReady: () => untilReady(apiUrls),
    }
  } catch (error) {
    await stop()
    throw error
  }
}

interface Instance {
  service: ServiceName
  index: number
}

function instances(): Instance[] {
  return Object.entries(PROCESSES).flatMap(([service, count]) =>
    Array.from({ length: count }, (_, index) => ({ service: service as ServiceName, index })),
  )
}

async function makeFilesDir(dir: string): Promise<string> {
  await mkdir(dir)
  if (missingDisks() === undefined) await mountDisk(dir, FILES_DISK_BYTES)
  return dir
}

async function startProcess(
  stack: Stack,
  supervisor: Supervisor,
  nodes: ReadonlyMap<string, RpcProxy>,
  { service, index }: Instance,
): Promise<Process & { url: string | undefined }> {
  const name = `${service}-${index + 1}`
  const way = await openWay(stack.databaseUrl)
  const { settings } = stack
  const apiPort = service === 'api' && index > 0 ? await freePort() : settings.apiPort
  const own: ServiceSettings = {
    ...settings,
    apiPort,
    roleUrls: through(way, settings.roleUrls),
    indexUrls: through(way, settings.indexUrls),
    rpcUrl: nodeOf(nodes, service).url,
    extra: { ...settings.extra, BASE_URL: stack.baseUrl },
  }
  const spec: ProcessSpec = { ...serviceSpec(service, own), name }
  await supervisor.start(spec)
  return {
    ...{ name, service, way },
    url: service === 'api' ? apiUrl({ apiPort }) : undefined,
    signal: (signalName) => process.kill(-supervisor.pid(name), signalName),
    kill: () => supervisor.kill(name),
    end: () => supervisor.end(name),
    start: (seconds = 0) =>
      supervisor.start(seconds === 0 ? spec : { ...spec, env: { ...spec.env, ...shifted(seconds) } }),
  }
}

function nodeOf(nodes: ReadonlyMap<string, RpcProxy>, service: ServiceName): RpcProxy {
  const kind = { indexer: 'indexer', facilitator: 'facilitators', api: 'api and workers', worker: 'api and workers' }
  const proxy = nodes.get(kind[service])
  if (!proxy) throw new Error(`there is no proxy for ${service}`)
  return proxy
}

function shifted(seconds: number): Record<string, string> {
  return { NODE_OPTIONS: `--import=${SHIFTED_CLOCK}`, CLOCK_SHIFT_MS: String(seconds * MS_PER_SECOND) }
}

function through<Urls extends Record<string, string>>(way: Way, urls: Urls): Urls {
  const { port } = new URL(way.url)
  const led = Object.entries(urls).map(([name, text]) => {
    const url = new URL(text)
    url.port = port
    return [name, url.href]
  })
  return Object.fromEntries(led)
}

async function untilReady(urls: readonly string[]): Promise<void> {
  const ailing = async () => (await Promise.all(urls.map(ailmentOf))).filter((ailment) => ailment !== undefined)
  await until('every api is ready', ailing, ({ length }) => length === 0, { limitMs: READY_LIMIT_MS, pollMs: 200 })
}

/** What an API says is wrong; undefined where nothing is. */
async function ailmentOf(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) })
    const text = await response.text()
    return response.status === 200 && JSON.parse(text).status === 'ready' ? undefined : `${url}: ${text}`
  } catch (error) {
    return `${url}: ${error}`
  }
}
