import { isAbsolute } from 'node:path'
import { type Hex, isHex } from 'viem'
import { z } from 'zod'
import {
  addressVariable,
  bigintVariable,
  chainVariables,
  databaseVariable,
  integerVariable,
  readEnvironment,
  requireReserve,
  reserveOf,
  reserveVariables,
  walletFactoriesVariable,
} from '../protocol/environment.ts'
import { rulesFor } from './config/rules.ts'
import { mayUsePasskeysOf, webSettings } from './config/web.ts'
import type { Settings } from './context.ts'
import { isProxy } from './http/addresses.ts'

const SANDBOX_CHAIN_IDS = [31337, 1337]

const key = z
  .string()
  .regex(/^(0x)?[0-9a-fA-F]{64}$/, 'must be 32 bytes of hex')
  .transform((value) => value.replace(/^0x/, '').toLowerCase())

const originsVariable = z
  .string()
  .transform((text) => text.split(',').map((entry) => entry.trim()))
  .optional()

const shared = {
  ...chainVariables,
  ...reserveVariables,
  DAILY_PAYOUT_MICROS: bigintVariable.optional(),
  HOT_WALLET_FLOOR_MICROS: bigintVariable.optional(),
  DATABASE_URL: databaseVariable,
  BASE_URL: z.url({ protocol: /^https?$/ }).transform((value) => value.replace(/\/$/, '')),
  FEE_RECIPIENT: addressVariable,
  CONFIRMATIONS: integerVariable(1).max(30).default(2),
  WALLET_FACTORIES: walletFactoriesVariable,
  PASSKEY_RP_ID: z.hostname().optional(),
  PASSKEY_ORIGINS: originsVariable,
  SECRET_KEY: key,
  SIGNING_KEY: key,
  BLOB_DIR: z.string().refine(isAbsolute, 'must be an absolute path'),
  MAX_DELIVERY_BYTES: integerVariable(1).optional(),
  MARKET_SANDBOX: z
    .enum(['true', 'false'])
    .default('false')
    .transform((value) => value === 'true'),
}

const workerSchema = z
  .object({
    ...shared,
    /** A second, independent node: the worker acts on what both tell alike. */
    RPC_VERIFY_URL: z.url({ protocol: /^https?$/ }).optional(),
    /** Where Prometheus reads how the market is. */
    METRICS_PORT: integerVariable(0).max(65_535).optional(),
    METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  })
  .check(requireTestChain, requireOrigins, requireReserve, requirePayableOrders)
  .refine(({ RPC_URL, RPC_VERIFY_URL }) => RPC_URL !== RPC_VERIFY_URL, {
    path: ['RPC_VERIFY_URL'],
    message: 'is RPC_URL: a node cannot vouch for itself',
  })
const apiSchema = z
  .object({
    ...shared,
    HOST: z.string().min(1).default('127.0.0.1'),
    PORT: integerVariable(0).max(65_535),
    /** Proxies whose X-Forwarded-For is believed: addresses or networks (CIDR), separated by commas. */
    TRUSTED_PROXIES: z
      .string()
      .default('')
      .transform((value) => value.split(',').flatMap((part) => part.trim() || []))
      .refine((proxies) => proxies.every(isProxy), 'must be addresses or networks such as 10.0.0.0/8'),
    SANDBOX_MINTER_KEY: z
      .custom<Hex>((value) => isHex(value) && value.length === 66, 'must be 0x and 32 bytes of hex')
      .optional(),
  })
  .check(requireTestChain, requireOrigins, requireReserve, requirePayableOrders)
  .refine(({ MARKET_SANDBOX, SANDBOX_MINTER_KEY }) => !MARKET_SANDBOX || SANDBOX_MINTER_KEY, {
    path: ['SANDBOX_MINTER_KEY'],
    message: 'a sandbox needs the key of the account that mints its test tokens',
  })

/** What the worker is told at start. */
export type WorkerEnv = z.output<typeof workerSchema>

/** What the API is told at start. */
export type ApiEnv = z.output<typeof apiSchema>

/** Reads the API's environment. Throws an Error that says, variable by variable, what is wrong. */
export function readApiEnv(env: NodeJS.ProcessEnv = process.env): ApiEnv {
  return readEnvironment(apiSchema, env)
}

/** Reads the worker's environment. Throws an Error that says, variable by variable, what is wrong. */
export function readWorkerEnv(env: NodeJS.ProcessEnv = process.env): WorkerEnv {
  return readEnvironment(workerSchema, env)
}

/** What verbs may know, from what the process was told. */
export function settingsFrom(env: Omit<WorkerEnv, 'RPC_VERIFY_URL' | 'METRICS_PORT' | 'METRICS_HOST'>): Settings {
  return {
    baseUrl: env.BASE_URL,
    sandbox: env.MARKET_SANDBOX,
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
    rules: {
      ...rulesFor(env.MARKET_SANDBOX),
      ...(env.DAILY_PAYOUT_MICROS === undefined ? {} : { dailyPayoutMicros: env.DAILY_PAYOUT_MICROS }),
      ...(env.HOT_WALLET_FLOOR_MICROS === undefined ? {} : { hotWalletFloorMicros: env.HOT_WALLET_FLOOR_MICROS }),
      ...(env.MAX_DELIVERY_BYTES === undefined ? {} : { maxDeliveryBytes: env.MAX_DELIVERY_BYTES }),
    },
    blobDirectory: env.BLOB_DIR,
    signingKey: env.SIGNING_KEY,
    secretKey: env.SECRET_KEY,
  }
}

function requireTestChain(given: z.core.ParsePayload<{ MARKET_SANDBOX: boolean; CHAIN_ID: number }>): void {
  const { MARKET_SANDBOX, CHAIN_ID } = given.value
  if (!MARKET_SANDBOX || SANDBOX_CHAIN_IDS.includes(CHAIN_ID)) return
  given.issues.push({
    code: 'custom',
    input: MARKET_SANDBOX,
    path: ['MARKET_SANDBOX'],
    message: `a sandbox runs on a test chain (${SANDBOX_CHAIN_IDS.join(', ')}) only, and CHAIN_ID is ${CHAIN_ID}`,
  })
}

// A payout beyond what a day may see would never go out, and hold up all behind it.
function requirePayableOrders(given: z.core.ParsePayload<Limits>): void {
  const { DAILY_PAYOUT_MICROS: limit, HOT_WALLET_FLOOR_MICROS: floor, HOT_WALLET_CEILING_MICROS: ceiling } = given.value
  const wrong = (path: string, message: string) =>
    given.issues.push({ code: 'custom', path: [path], message, input: path })
  if (limit !== undefined && limit < rulesFor(given.value.MARKET_SANDBOX).maxOrderMicros) {
    wrong('DAILY_PAYOUT_MICROS', 'must be at least what the largest order costs')
  }
  if (floor !== undefined && ceiling !== undefined && floor > ceiling) {
    wrong('HOT_WALLET_FLOOR_MICROS', 'must not be above HOT_WALLET_CEILING_MICROS')
  }
}

type Limits = {
  MARKET_SANDBOX: boolean
  DAILY_PAYOUT_MICROS?: bigint | undefined
  HOT_WALLET_FLOOR_MICROS?: bigint | undefined
  HOT_WALLET_CEILING_MICROS?: bigint | undefined
}

// Browsers would refuse every passkey, and nobody could sign in.
function requireOrigins({ value, issues }: z.core.ParsePayload<Passkeys>): void {
  const { PASSKEY_RP_ID: rpId, PASSKEY_ORIGINS: given, BASE_URL } = value
  const web = webSettings(BASE_URL, { rpId, origins: given })
  const wrong = web.origins.filter((origin) => !mayUsePasskeysOf(web.rpId, origin))
  // Without either, passkeys work where BASE_URL has a domain of its own, encrypted.
  if (wrong.length === 0 || (rpId === undefined && given === undefined)) return
  issues.push({
    code: 'custom',
    input: given,
    path: [given ? 'PASSKEY_ORIGINS' : 'PASSKEY_RP_ID'],
    message: 'every origin must be https (http on loopback alone), without a path, and of the domain of PASSKEY_RP_ID',
  })
}

type Passkeys = { BASE_URL: string; PASSKEY_RP_ID?: string | undefined; PASSKEY_ORIGINS?: string[] | undefined }
