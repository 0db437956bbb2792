import { createHash } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import { rulesFor } from '../../api/config/rules.ts'
import type { ChainSettings } from '../../api/context.ts'
import type { SandboxDeployment } from '../../ignition/deploySandbox.ts'
import { answersOk } from '../machine/http.ts'
import { ROOT, STATE_DIR } from '../machine/paths.ts'
import type { ProcessSpec } from '../machine/process.ts'
import type { IndexUrls, RoleUrls } from './postgres/roleLogins.ts'

const READY_TIMEOUT_MS = 90_000
const SANDBOX_CONFIRMATIONS = 2
const BEAT_SINCE = 'select from facilitator.heartbeat where beat_at > $1'
const OPEN_FENCE = 'select from market.chain_progress where database_epoch = market.database_epoch()'

/**
 * The options of Node for the API. A body arrives in buffers of 64 KiB outside of the heap, and V8 frees them
 * with the young objects of the heap. With 16 MiB of young objects, the default, the buffers reach V8's limit
 * for memory outside the heap first, and V8 marks the whole heap every 64 MB: half of the CPU of an upload.
 * Below 2 MiB other requests cost more.
 */
export const API_OPTIONS: readonly string[] = ['--max-semi-space-size=2']

/** Our processes, in start order. */
export const SERVICES = ['indexer', 'facilitator', 'worker', 'api'] as const
export type ServiceName = (typeof SERVICES)[number]

/** The settings of a sandbox's processes. */
export interface ServiceSettings {
  /** The database, as its owner: queried to see whether a process is ready. */
  databaseUrl: string
  /** The same database, as the role of each process. */
  roleUrls: RoleUrls
  /** The database of the index, as the role of each process. */
  indexUrls: IndexUrls
  rpcUrl: string
  deployment: SandboxDeployment
  apiPort: number
  indexerPort: number
  /** 32 bytes, hex. */
  secretKey: string
  signingKey: string
  /** The built console; without it the API serves none. */
  consoleFolder?: string
  /** The folder of the program; by default this one's. */
  root?: string
  /** Further variables, for every process. */
  extra?: Readonly<Record<string, string>>
}

/** Returns the chain settings of a sandbox in the API's form. */
export function chainSettings(deployment: SandboxDeployment): ChainSettings {
  return {
    chainId: deployment.chainId,
    escrow: deployment.escrow,
    token: deployment.token,
    hotWallet: deployment.accounts.hotWallet.address,
    feeRecipient: deployment.accounts.feeRecipient.address,
    startBlock: deployment.startBlock,
    confirmations: SANDBOX_CONFIRMATIONS,
    walletFactories: [],
  }
}

/** Returns the URL of a sandbox's API. */
export function apiUrl(settings: { apiPort: number }): string {
  return `http://localhost:${settings.apiPort}`
}

/** Returns the folder of a sandbox's files. */
export function blobDirectory({ secretKey }: Pick<ServiceSettings, 'secretKey'>): string {
  return join(STATE_DIR, 'blobs', createHash('sha256').update(secretKey).digest('hex').slice(0, 16))
}

/** Returns how one of our processes is run on a test chain. */
export function serviceSpec(name: ServiceName, settings: ServiceSettings): ProcessSpec {
  const root = settings.root ?? ROOT
  const services: Record<ServiceName, Pick<ProcessSpec, 'args' | 'env' | 'isReady'>> = {
    indexer: {
      args: [join(root, 'indexer/main.ts')],
      env: { INDEX_DATABASE_URL: settings.indexUrls.indexer, PORT: String(settings.indexerPort) },
      isReady: () => answersOk(`http://127.0.0.1:${settings.indexerPort}/ready`),
    },
    facilitator: {
      args: [join(root, 'facilitator/main.ts')],
      env: facilitatorEnv(settings),
      isReady: ({ startedAt }) => hasRow(settings.databaseUrl, BEAT_SINCE, [startedAt]),
    },
    worker: {
      args: [join(root, 'api/worker.ts')],
      env: { ...apiEnv(settings), DATABASE_URL: settings.roleUrls.worker },
      // Money moves once the earlier chain events are known.
      isReady: async (started) => started.says('"msg":"working"') && hasRow(settings.databaseUrl, OPEN_FENCE),
    },
    api: {
      args: [...API_OPTIONS, join(root, 'api/main.ts')],
      env: {
        ...apiEnv(settings),
        PORT: String(settings.apiPort),
        SINGLE_API: 'true',
        WALLET_RPC_URL: settings.rpcUrl,
        SANDBOX_MINTER_KEY: settings.deployment.accounts.minter.privateKey,
        ...(settings.consoleFolder ? { CONSOLE_DIR: settings.consoleFolder } : {}),
      },
      // An answer alone could come from another API on the port.
      isReady: async (started) => started.says('"msg":"listening"') && answersOk(`${apiUrl(settings)}/healthz`),
    },
  }
  const { args, env, isReady } = services[name]
  return {
    name,
    command: process.execPath,
    args,
    env: { ...chainEnv(settings), ...env, ...settings.extra },
    // Ponder releases its schema only on SIGINT.
    stopSignal: name === 'indexer' ? 'SIGINT' : 'SIGTERM',
    isReady,
    readyTimeoutMs: READY_TIMEOUT_MS,
    restartable: true,
  }
}

function chainEnv({ rpcUrl, deployment, apiPort }: ServiceSettings): Record<string, string> {
  const chain = chainSettings(deployment)
  return {
    BASE_URL: apiUrl({ apiPort }),
    RPC_URL: rpcUrl,
    CHAIN_ID: String(chain.chainId),
    ESCROW_ADDRESS: chain.escrow,
    TOKEN_ADDRESS: chain.token,
    HOT_WALLET_ADDRESS: chain.hotWallet,
    FEE_RECIPIENT: chain.feeRecipient,
    START_BLOCK: String(chain.startBlock),
    CONFIRMATIONS: String(chain.confirmations),
    MARKET_SANDBOX: 'true',
  }
}

function apiEnv(settings: ServiceSettings): Record<string, string> {
  return {
    DATABASE_URL: settings.roleUrls.api,
    INDEX_DATABASE_URL: settings.indexUrls.reader,
    SECRET_KEY: settings.secretKey,
    SIGNING_KEY: settings.signingKey,
    BLOB_DIR: blobDirectory(settings),
  }
}

function facilitatorEnv({ roleUrls, deployment }: ServiceSettings): Record<string, string> {
  const { submitter, resolver, hotWallet } = deployment.accounts
  const { maxOrderMicros, dailyFundingWei, newOwnerFundingWei, dailyPayoutMicros, x402MaxAmountMicros } = rulesFor(true)
  return {
    DATABASE_URL: roleUrls.facilitator,
    SUBMITTER_KEYS: submitter.privateKey,
    RESOLVER_KEY: resolver.privateKey,
    HOT_WALLET_KEY: hotWallet.privateKey,
    // A payout above the facilitator's limit would never be sent.
    MAX_PAYOUT_MICROS: String(maxOrderMicros),
    DAILY_PAYOUT_MICROS: String(dailyPayoutMicros),
    DAILY_FUNDING_WEI: String(dailyFundingWei),
    NEW_OWNER_FUNDING_WEI: String(newOwnerFundingWei),
    X402_MAX_AMOUNT_MICROS: String(x402MaxAmountMicros),
  }
}

// Queried many times a second until there is a row; to connect costs Postgres far more than the query.
const asking = new Map<string, pg.Pool>()
const ASKING_IDLE_MS = 1_000

async function hasRow(databaseUrl: string, query: string, values: unknown[] = []): Promise<boolean> {
  const pool = asking.get(databaseUrl) ?? openAsking(databaseUrl)
  try {
    return Boolean((await pool.query(query, values)).rowCount)
  } catch {
    return false
  }
}

function openAsking(databaseUrl: string): pg.Pool {
  const options = { max: 1, idleTimeoutMillis: ASKING_IDLE_MS, allowExitOnIdle: true }
  const pool = new pg.Pool({ connectionString: databaseUrl, application_name: 'market-up', ...options })
  pool.on('error', () => {})
  asking.set(databaseUrl, pool)
  return pool
}
