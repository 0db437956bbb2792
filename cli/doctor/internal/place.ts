import type { Address, LocalAccount } from 'viem'
import { type ApiEnv, readApiEnv, readWorkerEnv, sessionUrlOf, type WorkerEnv } from '../../../api/env.ts'
import { accountsOf, readFacilitatorEnvironment } from '../../../facilitator/env.ts'
import { openKeystores } from '../../../facilitator/keystores.ts'
import { readIndexerEnvironment } from '../../../indexer/env.ts'
import { readKeptRoleSettings, readMigrateEnvironment } from '../../machine/env.ts'

/** Whose environment is checked: a process, or the migration by the owner of the databases. */
export const PROCESSES = ['api', 'worker', 'facilitator', 'indexer', 'migrate'] as const
export type ProcessName = (typeof PROCESSES)[number]

/** The market's database as a process reaches it. */
export interface DatabasePlace {
  url: string
  pooler: 'none' | 'transaction'
  isSandbox: boolean
  /** The URL that must lead to sessions, and its variable. */
  session?: { url: string; variable: 'DATABASE_URL' | 'DATABASE_SESSION_URL' }
  /** The connections that one process opens to it. */
  connections: number
}

/** The chain as a process is told to find it. */
export interface ChainPlace {
  nodes: { variable: string; url: string }[]
  chainId: number
  escrow: Address
  token: Address
  hotWallet: Address
  /** The account that the escrow must have as its resolver, if the process has its key. */
  resolver?: Address
  startBlock: bigint
  /** Whether the facilitator deploys wallets by Multicall3. */
  needsMulticall: boolean
  /** Whether blocks come only with transactions. */
  isSandbox: boolean
}

/** A port that a process listens on, and the path by which it tells who listens. */
export interface PortPlace {
  variable: string
  host: string
  port: number
  path: string
}

/** What a process finds by its settings. */
export interface Place {
  process: ProcessName
  database?: DatabasePlace
  index?: { url: string; needsSession: boolean; connections: number }
  chain?: ChainPlace
  /** The facilitator's remote signer, and the accounts whose keys it must have. */
  signer?: { url: string; accounts: readonly LocalAccount[] }
  gas?: { accounts: { variable: string; address: Address }[]; minWei: bigint }
  folders: { variable: string; path: string; use: 'files' | 'console' }[]
  ports: PortPlace[]
  addresses: { variable: string; url: string }[]
  redisUrl?: string
  /** The names of settings that the operator sets for roles. */
  keptRoleSettings: string[]
}
type ProcessPlace = Omit<Place, 'keptRoleSettings'>

type ChainEnvironment = Pick<
  WorkerEnv,
  'RPC_URL' | 'CHAIN_ID' | 'ESCROW_ADDRESS' | 'TOKEN_ADDRESS' | 'HOT_WALLET_ADDRESS' | 'START_BLOCK' | 'MARKET_SANDBOX'
> & { RPC_VERIFY_URL?: string | undefined }

// One keeps the lease, and acts.
const FACILITATOR_CONNECTIONS = 1
// Ponder's, and the guards of the schema.
const INDEXER_CONNECTIONS = 16
// Notifications and the queue; notifications of blocks.
const [WORKER_SESSIONS, WORKER_INDEX_SESSIONS] = [3, 1]

/**
 * Reads an environment as its process does. Throws the Error with which the process would refuse to start.
 */
export async function readPlace(process: ProcessName, env: NodeJS.ProcessEnv): Promise<Place> {
  const readers = { api: apiPlace, worker: workerPlace, facilitator: facilitatorPlace, indexer: indexerPlace }
  const place = await (process === 'migrate' ? migratePlace(env) : readers[process](env))
  return { ...place, keptRoleSettings: readKeptRoleSettings(env) }
}

function apiPlace(given: NodeJS.ProcessEnv): ProcessPlace {
  const env = readApiEnv(given)
  const ports = env.PORT === 0 ? [] : [{ variable: 'PORT', host: env.HOST, port: env.PORT, path: '/healthz' }]
  const files = env.FILES_URL === undefined ? [] : [{ variable: 'FILES_URL', url: env.FILES_URL }]
  return {
    process: 'api',
    database: {
      url: env.DATABASE_URL,
      pooler: env.DATABASE_POOLER,
      connections: env.DATABASE_CONNECTIONS,
      isSandbox: env.MARKET_SANDBOX,
    },
    index: { url: env.INDEX_DATABASE_URL, needsSession: false, connections: env.INDEX_CONNECTIONS },
    chain: chainPlace(env),
    folders: [
      ...foldersOf(env),
      ...(env.CONSOLE_DIR ? [{ variable: 'CONSOLE_DIR', path: env.CONSOLE_DIR, use: 'console' as const }] : []),
    ],
    ports: [...ports, ...metricsPorts(env)],
    addresses: [{ variable: 'BASE_URL', url: env.BASE_URL }, ...files],
    ...redisOf(env),
  }
}

function workerPlace(given: NodeJS.ProcessEnv): ProcessPlace {
  const env = readWorkerEnv(given)
  return {
    process: 'worker',
    database: {
      url: env.DATABASE_URL,
      pooler: env.DATABASE_POOLER,
      session: { url: sessionUrlOf(env), variable: variableOf(env) },
      connections: env.DATABASE_CONNECTIONS + WORKER_SESSIONS,
      isSandbox: env.MARKET_SANDBOX,
    },
    index: {
      url: env.INDEX_DATABASE_URL,
      needsSession: true,
      connections: env.INDEX_CONNECTIONS + WORKER_INDEX_SESSIONS,
    },
    chain: chainPlace(env),
    folders: foldersOf(env),
    ports: metricsPorts(env),
    addresses: [],
    ...redisOf(env),
  }
}

async function facilitatorPlace(given: NodeJS.ProcessEnv): Promise<ProcessPlace> {
  const env = readFacilitatorEnvironment(await openKeystores(given))
  const submitters = env.SUBMITTER_KEYS.map(({ address }) => ({ variable: 'SUBMITTER_KEYS', address }))
  const { X402_PORT: port, X402_HOST: host } = env
  return {
    process: 'facilitator',
    database: {
      url: env.DATABASE_URL,
      pooler: env.DATABASE_POOLER,
      connections: FACILITATOR_CONNECTIONS,
      isSandbox: env.MARKET_SANDBOX,
    },
    chain: {
      ...chainPlace(env),
      resolver: env.RESOLVER_KEY.address,
      needsMulticall: env.WALLET_FACTORIES.length > 0,
    },
    ...(env.SIGNER_URL === undefined ? {} : { signer: { url: env.SIGNER_URL, accounts: accountsOf(env) } }),
    gas: {
      accounts: [...submitters, { variable: 'RESOLVER_KEY', address: env.RESOLVER_KEY.address }],
      minWei: env.MIN_GAS_BALANCE,
    },
    folders: [],
    ports: [...(port ? [{ variable: 'X402_PORT', host, port, path: '/supported' }] : []), ...metricsPorts(env)],
    addresses: [],
  }
}

function indexerPlace(given: NodeJS.ProcessEnv): ProcessPlace {
  const env = readIndexerEnvironment(given)
  return {
    process: 'indexer',
    index: { url: env.INDEX_DATABASE_URL, needsSession: true, connections: INDEXER_CONNECTIONS },
    chain: chainPlace(env),
    folders: [],
    ports: [{ variable: 'PORT', host: env.HOST, port: env.PORT, path: '/health' }, ...metricsPorts(env)],
    addresses: [],
  }
}

function migratePlace(given: NodeJS.ProcessEnv): ProcessPlace {
  const env = readMigrateEnvironment(given)
  const session = { url: env.DATABASE_SESSION_URL ?? env.DATABASE_URL, variable: variableOf(env) }
  return {
    process: 'migrate',
    database: { url: session.url, pooler: 'none', session, connections: 1, isSandbox: false },
    index: { url: env.INDEX_DATABASE_URL, needsSession: true, connections: 1 },
    folders: [],
    ports: [],
    addresses: [],
  }
}

function variableOf(env: { DATABASE_SESSION_URL?: string | undefined }): 'DATABASE_URL' | 'DATABASE_SESSION_URL' {
  return env.DATABASE_SESSION_URL === undefined ? 'DATABASE_URL' : 'DATABASE_SESSION_URL'
}

function chainPlace(env: ChainEnvironment): ChainPlace {
  return {
    nodes: [
      { variable: 'RPC_URL', url: env.RPC_URL },
      ...(env.RPC_VERIFY_URL ? [{ variable: 'RPC_VERIFY_URL', url: env.RPC_VERIFY_URL }] : []),
    ],
    chainId: env.CHAIN_ID,
    escrow: env.ESCROW_ADDRESS,
    token: env.TOKEN_ADDRESS,
    hotWallet: env.HOT_WALLET_ADDRESS,
    startBlock: env.START_BLOCK,
    needsMulticall: false,
    isSandbox: env.MARKET_SANDBOX,
  }
}

function metricsPorts({ METRICS_PORT: port, METRICS_HOST: host }: Pick<ApiEnv, 'METRICS_PORT' | 'METRICS_HOST'>) {
  return port ? [{ variable: 'METRICS_PORT', host, port, path: '/metrics' }] : []
}

function foldersOf({ BLOB_DIR }: Pick<ApiEnv, 'BLOB_DIR'>) {
  return [{ variable: 'BLOB_DIR', path: BLOB_DIR, use: 'files' as const }]
}

function redisOf({ REDIS_URL }: Pick<ApiEnv, 'REDIS_URL'>): { redisUrl?: string } {
  return REDIS_URL === undefined ? {} : { redisUrl: REDIS_URL }
}
