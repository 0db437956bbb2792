import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { bootstrap } from '../../../api/identity/setup/bootstrap.ts'
import { reactions } from '../../../api/reactions.ts'
import { installSandboxClock } from '../../../api/sandbox/install.ts'
import type { Account } from '../../../cli/machine/account.ts'
import { answersOk } from '../../../cli/machine/http.ts'
import { freePort } from '../../../cli/machine/ports.ts'
import type { ProcessSpec } from '../../../cli/machine/process.ts'
import { createDatabase, createIndexDatabase } from '../../../cli/stack/internal/sandboxDatabase.ts'
import { Supervisor } from '../../../cli/stack/internal/supervisor.ts'
import { enableIndexRoles, enableRoles } from '../../../cli/stack/postgres/roleLogins.ts'
import { startTestServer } from '../../../cli/stack/postgres/testServer.ts'
import { chainSettings, type ServiceName, type ServiceSettings, serviceSpec } from '../../../cli/stack/services.ts'
import { startChain, type TestChain } from '../../kit/chain/node.ts'
import { startRedis } from '../../kit/redis.ts'
import { startWebProxy } from '../../kit/stack/webProxy.ts'
import { until } from '../../kit/until.ts'

/** How many of each process. */
const PROCESSES: Readonly<Record<ServiceName, number>> = { indexer: 1, facilitator: 2, worker: 2, api: 3 }
/** api and worker share the folder of files. */
const USERS: Readonly<Record<ServiceName, number>> = {
  indexer: 61_001,
  facilitator: 61_002,
  worker: 61_003,
  api: 61_003,
}
const OWNER = 61_004
const READY_TIMEOUT_MS = 90_000
const MINING_INTERVAL_SECONDS = 0.25
const KEY_BYTES = 32

/** A market whose processes run from a packaged folder. */
export interface PackagedMarket {
  baseUrl: string
  rpcUrl: string
  chain: TestChain
  humanToken: string
  /** The process ids by name: api1, api2, … */
  pids: ReadonlyMap<string, number>
  /** Runs a command of the folder as the owner of the databases, and returns what it prints. */
  run: (args: readonly string[], env?: Readonly<Record<string, string>>) => Promise<string>
  stop: () => Promise<void>
}

/**
 * Returns the account with this number where this process may change accounts; else all processes have ours.
 */
export function accountOf(uid: number): Account | undefined {
  return process.getuid?.() === 0 ? { uid, gid: uid } : undefined
}

/** The account that a process runs as. */
export function userOf(name: ServiceName): number {
  return accountOf(USERS[name])?.uid ?? process.getuid?.() ?? 0
}

/**
 * Starts three api, two workers, two facilitators and an indexer from a packaged folder, each as a user of
 * its own that may write only into the folder of files, behind nginx and with Redis, on a PostgreSQL of which
 * they know the address alone.
 */
export async function startPackagedMarket(folder: string, state: string): Promise<PackagedMarket> {
  const supervisor = new Supervisor({ logDir: join(state, 'logs') })
  const undo: (() => Promise<void> | void)[] = [() => supervisor.stop()]
  const stop = async () => {
    for (const step of undo.splice(0)) await step()
  }
  try {
    const chain = await startChain()
    undo.push(chain.stop)
    const redis = await startRedis()
    undo.push(redis.stop)
    const run = commandsOf(folder, state)
    const databaseUrl = await createDatabase(await startTestServer())
    const indexUrl = await createIndexDatabase(databaseUrl)
    await run(['migrate'], { DATABASE_URL: databaseUrl, INDEX_DATABASE_URL: indexUrl })
    await installSandboxClock(databaseUrl)
    const credentials = await bootstrap(databaseUrl, { chain: chainSettings(chain), reactions })
    const settings: ServiceSettings = {
      ...{ databaseUrl, roleUrls: await enableRoles(databaseUrl), indexUrls: await enableIndexRoles(indexUrl) },
      ...{ rpcUrl: chain.rpcUrl, deployment: chain, apiPort: await freePort(), indexerPort: await freePort() },
      ...{ secretKey: randomBytes(KEY_BYTES).toString('hex'), signingKey: randomBytes(KEY_BYTES).toString('hex') },
      consoleFolder: join(folder, 'console/built'),
      extra: { REDIS_URL: redis.url, BLOB_DIR: await writableBy(join(state, 'blobs'), 'api'), HOME: '/nonexistent' },
    }
    await chain.client.setIntervalMining({ interval: MINING_INTERVAL_SECONDS })
    const specs = await specsOf(folder, settings)
    await Promise.all(specs.map((spec) => supervisor.start(spec)))
    const apis = specs.filter(({ name }) => name.startsWith('api')).map(({ env }) => `http://127.0.0.1:${env.PORT}`)
    const proxy = await startWebProxy('nginx', apis, settings.apiPort)
    undo.unshift(proxy.stop)
    const limits = { limitMs: READY_TIMEOUT_MS, pollMs: 100 }
    for (const api of apis) await until('each api is ready', () => answersOk(`${api}/readyz`), Boolean, limits)
    const { human_token: humanToken } = credentials
    const baseUrl = `http://localhost:${settings.apiPort}`
    return { baseUrl, rpcUrl: chain.rpcUrl, chain, humanToken, pids: supervisor.pids(), run, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * How each process is run: as `./market up` does, but by the folder's command, as its user, with a port and
 * counts of its own.
 */
async function specsOf(folder: string, settings: ServiceSettings): Promise<ProcessSpec[]> {
  const specs = Object.entries(PROCESSES).flatMap(([name, count]) =>
    Array.from({ length: count }, (_, index) => ({ service: name as ServiceName, name: `${name}${index + 1}` })),
  )
  return Promise.all(
    specs.map(async ({ service, name }) => {
      const port = service === 'api' ? { PORT: String(await freePort()), SINGLE_API: 'false', HOST: '127.0.0.1' } : {}
      const spec = serviceSpec(service, settings)
      return {
        ...{ ...spec, name, command: join(folder, 'market'), args: [service] },
        account: accountOf(USERS[service]),
        env: { ...spec.env, ...port, PATH: '/usr/bin:/bin' },
        isReady: service === 'api' ? async (started) => started.says('"msg":"listening"') : spec.isReady,
      } satisfies ProcessSpec
    }),
  )
}

function commandsOf(folder: string, state: string): PackagedMarket['run'] {
  return async (args, env = {}) => {
    const options = { ...accountOf(OWNER), cwd: state, env: { PATH: '/usr/bin:/bin', ...env } }
    return (await promisify(execFile)(join(folder, 'market'), args, options)).stdout
  }
}

async function writableBy(folder: string, service: ServiceName): Promise<string> {
  await mkdir(folder)
  const account = accountOf(USERS[service])
  if (account) await chown(folder, account.uid, account.gid)
  return folder
}
