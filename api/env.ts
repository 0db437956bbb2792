import { isAbsolute } from 'node:path'
import { type Hex, isHex } from 'viem'
import { z } from 'zod'
import {
  addressVariable,
  chainVariables,
  coldWalletProofVariable,
  databaseVariable,
  databaseVariables,
  integerVariable,
  metricsVariables,
  readEnvironment,
  requireIndexApart,
  requireReserve,
  requireTestChain,
  reserveOf,
  reserveVariables,
  sandboxVariable,
  walletFactoriesVariable,
} from '../protocol/environment/environment.ts'
import { type ArbitratorVariable, arbitratorVariables, requireModel } from './config/arbitrator.ts'
import { readRules } from './config/readRules.ts'
import { requireBucket, s3Of, s3Variables } from './config/s3.ts'
import { filesUrl, isOtherSite, mayUsePasskeysOf, webSettings } from './config/web.ts'
import type { MarketRules, ScannerSettings, Settings } from './context.ts'
import { eventTypes, noticeKinds } from './modules.ts'
import { isProxy } from './platform/http/listen/addresses.ts'
import type { QueuePlace } from './platform/jobs/connection.ts'

const key = z
  .string()
  .regex(/^(0x)?[0-9a-fA-F]{64}$/, 'must be 32 bytes of hex')
  .transform((value) => value.replace(/^0x/, '').toLowerCase())

const originsVariable = z
  .string()
  .transform((text) => text.split(',').map((entry) => entry.trim()))
  .optional()

const scannerVariable = z
  .url({ protocol: /^(tcp|unix)$/ })
  .transform((text) => new URL(text))
  .refine(({ protocol, port, pathname }) => (protocol === 'tcp:' ? port !== '' : pathname.length > 1), {
    message: 'must be tcp://host:port or unix:///path',
  })
  .transform(
    ({ protocol, hostname, port, pathname }): ScannerSettings =>
      protocol === 'tcp:'
        ? { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) }
        : { path: decodeURIComponent(pathname) },
  )

// With one connection, whatever waits for a lock holds up everything else.
const [MIN_CONNECTIONS, MAX_CONNECTIONS] = [2, 200]

const shared = {
  /**
   * The path of bubblewrap, which uploaded files are read in. Without it, PDF and video have no text and no
   * preview.
   */
  BUBBLEWRAP: z.string().refine(isAbsolute, 'must be an absolute path').default('/usr/bin/bwrap'),
  ...chainVariables,
  ...reserveVariables,
  ...databaseVariables,
  ...metricsVariables,
  /** The database of the index, as a role that reads it. */
  INDEX_DATABASE_URL: databaseVariable,
  BASE_URL: z.url({ protocol: /^https?$/ }).transform((value) => value.replace(/\/$/, '')),
  /** The address that links to files of users begin with. By default, a sandbox uses 127.0.0.1. */
  FILES_URL: z
    .url({ protocol: /^https?$/ })
    .transform((value) => value.replace(/\/$/, ''))
    .optional(),
  /** A node that anybody may ask, for wallets that do not know the chain. */
  WALLET_RPC_URL: z.url({ protocol: /^https?$/ }).optional(),
  FEE_RECIPIENT: addressVariable,
  CONFIRMATIONS: integerVariable(1).max(30).default(2),
  WALLET_FACTORIES: walletFactoriesVariable,
  PASSKEY_RP_ID: z.hostname().optional(),
  PASSKEY_ORIGINS: originsVariable,
  SECRET_KEY: key,
  SIGNING_KEY: key,
  /** The one before and the one after it, while it is replaced. */
  FORMER_SIGNING_KEY: key.optional(),
  NEXT_SIGNING_KEY: key.optional(),
  ...s3Variables,
  BLOB_DIR: z.string().refine(isAbsolute, 'must be an absolute path'),
  MARKET_SANDBOX: sandboxVariable,
  /** The virus scanner, clamd: tcp://host:port or unix:///path. */
  CLAMD_URL: scannerVariable.optional(),
  /**
   * The mail server that notifications go through, smtp:// or smtps://, and the address that they come from.
   */
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  SMTP_FROM: z.email().optional(),
  /**
   * Whether webhooks may be sent to loopback and without encryption. In a sandbox they may, unless told
   * otherwise.
   */
  WEBHOOK_LOCAL_TARGETS: z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .optional(),
}

/** The largest number of connections of a process to each database; the worker's sessions are besides. */
const connectionsVariables = (byDefault: number) => ({
  DATABASE_CONNECTIONS: integerVariable(MIN_CONNECTIONS).max(MAX_CONNECTIONS).default(byDefault),
  INDEX_CONNECTIONS: integerVariable(1).max(MAX_CONNECTIONS).default(2),
})

const workerSchema = z
  .object({
    ...shared,
    ...connectionsVariables(8),
    /**
     * The same database without a pooler of transactions: for notifications and the queue. By default
     * DATABASE_URL.
     */
    DATABASE_SESSION_URL: databaseVariable.optional(),
    /** A second, independent node. The worker acts only on what both nodes report alike. */
    RPC_VERIFY_URL: z.url({ protocol: /^https?$/ }).optional(),
    /** How many chain events are processed at the same time, each of a different order. */
    SETTLE_LANES: integerVariable(1).max(8).optional(),
    /** The Redis that holds the queue of jobs. Without it, the queue is in PostgreSQL. */
    REDIS_URL: z.url({ protocol: /^rediss?$/ }).optional(),
    ...arbitratorVariables,
  })
  .check(
    requireTestChain,
    requireIndexApart,
    requireOrigins,
    requireReserve,
    requireSender,
    requireBucket,
    requireModel,
  )
  .refine(({ RPC_URL, RPC_VERIFY_URL }) => RPC_URL !== RPC_VERIFY_URL, {
    path: ['RPC_VERIFY_URL'],
    message: 'is RPC_URL: a node cannot vouch for itself',
  })
const apiSchema = z
  .object({
    ...shared,
    ...connectionsVariables(12),
    HOST: z.string().min(1).default('localhost'),
    PORT: integerVariable(0).max(65_535),
    /** Proxies whose X-Forwarded-For is trusted: addresses or networks (CIDR), separated by commas. */
    TRUSTED_PROXIES: z
      .string()
      .default('')
      .transform((value) => value.split(',').flatMap((part) => part.trim() || []))
      .refine((proxies) => proxies.every(isProxy), 'must be addresses or networks such as 10.0.0.0/8'),
    /**
     * Whether this is the only API process of the market: then it counts requests for the limits in its
     * memory.
     */
    SINGLE_API: z
      .enum(['true', 'false'])
      .default('false')
      .transform((value) => value === 'true'),
    /**
     * A Redis for the request counts of several API processes. Without it, the counts are in the database.
     */
    REDIS_URL: z.url({ protocol: /^rediss?$/ }).optional(),
    COLD_WALLET_PROOF: coldWalletProofVariable,
    /** A block explorer, to whose pages the console links. */
    EXPLORER_URL: z
      .url({ protocol: /^https?$/ })
      .refine((value) => !/[?#@]/.test(value), 'must be an address without user, query and fragment')
      .transform((value) => value.replace(/\/$/, ''))
      .optional(),
    /** The folder of the built console, as `./market console` prints it. Without it, /console says so. */
    CONSOLE_DIR: z.string().refine(isAbsolute, 'must be an absolute path').optional(),
    SANDBOX_MINTER_KEY: z
      .custom<Hex>((value) => isHex(value) && value.length === 66, 'must be 0x and 32 bytes of hex')
      .optional(),
  })
  .check(requireTestChain, requireIndexApart, requireOrigins, requireReserve, requireSender, requireBucket)
  .refine(
    ({ MARKET_SANDBOX, FILES_URL, BASE_URL }) =>
      isOtherSite(FILES_URL ?? BASE_URL, BASE_URL) || (MARKET_SANDBOX && FILES_URL === undefined),
    {
      path: ['FILES_URL'],
      message: 'must be another host than that of BASE_URL: files of users are not to share the origin of sessions',
    },
  )
  .refine(({ COLD_WALLET_ADDRESS, COLD_WALLET_PROOF }) => !COLD_WALLET_ADDRESS || COLD_WALLET_PROOF, {
    path: ['COLD_WALLET_PROOF'],
    message: 'is needed with COLD_WALLET_ADDRESS: an audit counts no cold wallet without it',
  })
  .refine(({ MARKET_SANDBOX, SANDBOX_MINTER_KEY }) => !MARKET_SANDBOX || SANDBOX_MINTER_KEY, {
    path: ['SANDBOX_MINTER_KEY'],
    message: 'a sandbox needs the key of the account that mints its test tokens',
  })

/** The worker's environment after validation. */
export type WorkerEnv = z.output<typeof workerSchema> & { rules: MarketRules }

/** The API's environment after validation. */
export type ApiEnv = z.output<typeof apiSchema> & { rules: MarketRules }

/** Reads the API's environment. Throws an Error that lists every invalid variable and why. */
export function readApiEnv(env: NodeJS.ProcessEnv = process.env): ApiEnv {
  return withRules(readEnvironment(apiSchema, env), env)
}

/** Reads the worker's environment. Throws an Error that lists every invalid variable and why. */
export function readWorkerEnv(env: NodeJS.ProcessEnv = process.env): WorkerEnv {
  return withRules(readEnvironment(workerSchema, env), env)
}

function withRules<Read extends { MARKET_SANDBOX: boolean; HOT_WALLET_CEILING_MICROS?: bigint | undefined }>(
  read: Read,
  env: NodeJS.ProcessEnv,
): Read & { rules: MarketRules } {
  const rules = readRules(env, read.MARKET_SANDBOX)
  const ceilingMicros = read.HOT_WALLET_CEILING_MICROS
  if (ceilingMicros !== undefined && rules.hotWalletFloorMicros > ceilingMicros) {
    throw new Error('HOT_WALLET_FLOOR_MICROS must not be above HOT_WALLET_CEILING_MICROS')
  }
  return { ...read, rules }
}

/**
 * Returns the URL of the market's database that gives a worker its own session, for notifications and the
 * queue.
 */
export function sessionUrlOf(env: Pick<WorkerEnv, 'DATABASE_URL' | 'DATABASE_SESSION_URL'>): string {
  return env.DATABASE_SESSION_URL ?? env.DATABASE_URL
}

/** Returns where the queue of jobs is. */
export function queuePlaceOf(env: Pick<WorkerEnv, 'DATABASE_URL' | 'DATABASE_SESSION_URL' | 'REDIS_URL'>): QueuePlace {
  return env.REDIS_URL === undefined ? { databaseUrl: sessionUrlOf(env) } : { redisUrl: env.REDIS_URL }
}

/** Builds the settings of verbs from the environment and the reactions of this process. */
export function settingsFrom(
  env: Omit<
    WorkerEnv,
    | 'DATABASE_CONNECTIONS'
    | 'INDEX_CONNECTIONS'
    | 'RPC_VERIFY_URL'
    | 'METRICS_PORT'
    | 'METRICS_HOST'
    | 'REDIS_URL'
    | 'SETTLE_LANES'
    | ArbitratorVariable
  >,
  reactions: Settings['reactions'],
): Settings {
  return {
    reactions,
    eventTypes,
    noticeKinds,
    baseUrl: env.BASE_URL,
    filesUrl: env.FILES_URL ?? filesUrl(env.BASE_URL),
    sandbox: env.MARKET_SANDBOX,
    walletRpcUrl: env.WALLET_RPC_URL,
    web: webSettings(env.BASE_URL, { rpId: env.PASSKEY_RP_ID, origins: env.PASSKEY_ORIGINS }),
    chain: {
      chainId: env.CHAIN_ID,
      escrow: env.ESCROW_ADDRESS,
      token: env.TOKEN_ADDRESS,
      hotWallet: env.HOT_WALLET_ADDRESS,
      feeRecipient: env.FEE_RECIPIENT,
      startBlock: env.START_BLOCK,
      confirmations: env.CONFIRMATIONS,
      walletFactories: env.WALLET_FACTORIES,
    },
    reserve: reserveOf(env),
    rules: env.rules,
    scanner: env.CLAMD_URL,
    bubblewrap: env.BUBBLEWRAP,
    mail: env.SMTP_URL && env.SMTP_FROM ? { url: env.SMTP_URL, from: env.SMTP_FROM } : undefined,
    webhooks: { allowsLocal: env.WEBHOOK_LOCAL_TARGETS ?? env.MARKET_SANDBOX },
    blobDirectory: env.BLOB_DIR,
    s3: s3Of(env),
    signingKey: env.SIGNING_KEY,
    otherSigningKeys: [env.FORMER_SIGNING_KEY, env.NEXT_SIGNING_KEY].filter((one) => one !== undefined),
    secretKey: env.SECRET_KEY,
  }
}

// With origins that do not fit, browsers would refuse every passkey, and no one could sign in.
function requireOrigins({ value, issues }: z.core.ParsePayload<Passkeys>): void {
  const { PASSKEY_RP_ID: rpId, PASSKEY_ORIGINS: given, BASE_URL } = value
  const web = webSettings(BASE_URL, { rpId, origins: given })
  const wrong = web.origins.filter((origin) => !mayUsePasskeysOf(web.rpId, origin))
  // Without either variable, passkeys work if BASE_URL is encrypted and has a domain name.
  if (wrong.length === 0 || (rpId === undefined && given === undefined)) return
  issues.push({
    code: 'custom',
    input: given,
    path: [given ? 'PASSKEY_ORIGINS' : 'PASSKEY_RP_ID'],
    message: 'every origin must be https (http on loopback alone), without a path, and of the domain of PASSKEY_RP_ID',
  })
}

// A mail server needs a sender, and a sender without a server has no effect.
function requireSender({ value, issues }: z.core.ParsePayload<Mail>): void {
  const { SMTP_URL, SMTP_FROM } = value
  if ((SMTP_URL === undefined) === (SMTP_FROM === undefined)) return
  const [path, other] = SMTP_URL === undefined ? ['SMTP_URL', 'SMTP_FROM'] : ['SMTP_FROM', 'SMTP_URL']
  issues.push({ code: 'custom', input: undefined, path: [path], message: `is needed with ${other}` })
}

type Mail = { SMTP_URL?: string | undefined; SMTP_FROM?: string | undefined }
type Passkeys = { BASE_URL: string; PASSKEY_RP_ID?: string | undefined; PASSKEY_ORIGINS?: string[] | undefined }
