import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FirstAccounts } from '../../../api/identity/setup/bootstrap.ts'
import { answersOk } from '../../../cli/machine/http.ts'
import { ROOT, STATE_DIR } from '../../../cli/machine/paths.ts'
import { freePort } from '../../../cli/machine/ports.ts'
import { Supervisor } from '../../../cli/stack/internal/supervisor.ts'
import { createCluster } from '../../../cli/stack/postgres/cluster.ts'
import {
  apiUrl,
  chainSettings,
  SERVICES,
  type ServiceName,
  type ServiceSettings,
  serviceSpec,
} from '../../../cli/stack/services.ts'
import { startChain, type TestChain } from '../chain/node.ts'
import { until } from '../until.ts'
import { copyTemplate, migratedBy, type TestDatabase } from './database.ts'
import { startIndexDatabase, type TestIndex } from './indexDatabase.ts'
import { serverUrl } from './server.ts'

/** How often the chain of a stack has a block. */
export const MINING_INTERVAL_MS = 250
const READY_TIMEOUT_MS = 60_000
const READY_POLL_MS = 50
const KEY_BYTES = 32

export interface StackOptions {
  /** Which of our processes run; default all. */
  processes?: readonly ServiceName[]
  /** 0: blocks come when the test mines them. */
  miningIntervalMs?: number
  /** A durable Postgres of the stack's own, which can be killed and restarted as 'postgres'. */
  ownPostgres?: boolean
  /** The folder of the program that makes the database and runs; by default this one's. */
  root?: string
  /** The Postgres server to use, by its superuser's URL. Default: that of the test run. */
  server?: string
  /** Where the processes log. */
  logDir?: string
  /** Told when a process ended by itself, and when it is back. Default: it is printed. */
  onNotice?: (notice: string) => void
  /** Further variables for every process. */
  env?: Readonly<Record<string, string>>
  /** Where a process finds the node and the database, given where they are. Default: there. */
  route?: (name: ServiceName, direct: ServiceSettings) => Promise<Route>
}

/** Where a process finds the node and the database, and variables instead of those for every process. */
export type Route = Pick<ServiceSettings, 'rpcUrl' | 'roleUrls' | 'extra'> & Partial<Pick<ServiceSettings, 'indexUrls'>>

/** The real processes on a chain and a database of a test's own. */
export interface Stack {
  baseUrl: string
  rpcUrl: string
  databaseUrl: string
  chain: TestChain
  database: TestDatabase
  index: TestIndex
  /** The first accounts: an operator's token, a human and their token. */
  credentials: FirstAccounts
  /** SIGKILL, and it stays dead until it is restarted. */
  kill: (name: StackProcess) => Promise<void>
  /** SIGTERM, until it has ended. It is not started again. */
  end: (name: StackProcess) => Promise<void>
  /** How its processes are run. */
  settings: ServiceSettings
  /** Starts a killed process and waits until it serves. */
  restart: (name: StackProcess) => Promise<void>
  /** The process id, which is also that of its group. */
  pid: (name: StackProcess) => number
  /** What a process has said since it was last started, as JSON lines. */
  log: (name: StackProcess) => string
  stop: () => Promise<void>
}

export type StackProcess = ServiceName | 'postgres'

/** Starts the processes, as `./market up` does, and waits until they serve. */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const processes = SERVICES.filter((name) => options.processes?.includes(name) ?? true)
  const {
    logDir = join(STATE_DIR, 'logs/test', `stack-${process.pid}-${randomBytes(4).toString('hex')}`),
    // A process that crashes without being killed by the test is started again; the run's output tells of it.
    onNotice = (notice) => process.stderr.write(`${notice}\n`),
  } = options
  const supervisor = new Supervisor({ logDir, onNotice })
  const undo: (() => Promise<void> | void)[] = [() => supervisor.stop()]
  const stop = async () => {
    for (const step of undo.splice(0)) await step()
  }
  try {
    const chain = await startChain()
    undo.push(chain.stop)
    const server = options.ownPostgres ? await startOwnPostgres(supervisor) : (options.server ?? (await serverUrl()))
    const index = await startIndexDatabase(server)
    const { root } = options
    const database = await (root === undefined ? copyTemplate(server) : migratedBy(root, server, index))
    if (!options.ownPostgres) undo.push(database.stop, index.stop)
    const { installSandboxClock, bootstrap, reactions } = await setupOf(root ?? ROOT)
    await installSandboxClock(database.url)
    const settings = await settingsFor(chain, { database, index }, options)
    const credentials = await bootstrap(database.url, { chain: chainSettings(chain), reactions })
    await chain.client.setIntervalMining({ interval: (options.miningIntervalMs ?? MINING_INTERVAL_MS) / 1000 })
    const routed = async (name: ServiceName) => ({ ...settings, ...(await options.route?.(name, settings)) })
    await Promise.all(processes.map(async (name) => supervisor.start(serviceSpec(name, await routed(name)))))
    if (processes.length === SERVICES.length) await untilReady(settings)
    return {
      baseUrl: apiUrl(settings),
      rpcUrl: chain.rpcUrl,
      databaseUrl: database.url,
      chain,
      database,
      index,
      credentials,
      kill: (name) => supervisor.kill(name),
      end: (name) => supervisor.end(name),
      settings,
      restart: (name) => supervisor.restart(name),
      pid: (name) => supervisor.pid(name),
      log: (name) => supervisor.output(name),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** What the program in `root` sets a sandbox up with: another version would write other columns. */
async function setupOf(root: string) {
  const load = (path: string) => import(pathToFileURL(join(root, path)).href)
  const [install, first, registered] = await Promise.all([
    load('api/sandbox/install.ts') as Promise<typeof import('../../../api/sandbox/install.ts')>,
    load('api/identity/setup/bootstrap.ts') as Promise<typeof import('../../../api/identity/setup/bootstrap.ts')>,
    load('api/reactions.ts') as Promise<typeof import('../../../api/reactions.ts')>,
  ])
  return { ...install, ...first, ...registered }
}

async function startOwnPostgres(supervisor: Supervisor): Promise<string> {
  const { spec, adminUrl } = await createCluster({ durable: true })
  await supervisor.start(spec)
  return adminUrl
}

async function settingsFor(
  chain: TestChain,
  { database, index }: { database: TestDatabase; index: TestIndex },
  options: StackOptions,
): Promise<ServiceSettings> {
  return {
    databaseUrl: database.url,
    roleUrls: database.roleUrls,
    indexUrls: index.indexUrls,
    rpcUrl: chain.rpcUrl,
    deployment: chain,
    apiPort: await freePort(),
    indexerPort: await freePort(),
    secretKey: randomBytes(KEY_BYTES).toString('hex'),
    signingKey: randomBytes(KEY_BYTES).toString('hex'),
    ...(options.root === undefined ? {} : { root: options.root }),
    // Nothing in a test waits for a window of minutes.
    extra: { DISPUTE_EVIDENCE_SECONDS: '2', ...options.env },
  }
}

async function untilReady(settings: ServiceSettings): Promise<void> {
  const limits = { limitMs: READY_TIMEOUT_MS, pollMs: READY_POLL_MS }
  await until('the api is ready', () => answersOk(`${apiUrl(settings)}/readyz`), Boolean, limits)
}
