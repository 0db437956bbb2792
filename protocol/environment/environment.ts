import { type Address, getAddress, type Hex, isAddress, isHex } from 'viem'
import { z } from 'zod'
import { withSecretFiles } from './secretFiles.ts'

const SANDBOX_CHAIN_IDS = [31337, 1337]

/** An address in an environment variable, in any case; the result is checksummed. */
export const addressVariable = z
  .string()
  .refine((text) => isAddress(text, { strict: false }), 'must be an address: 0x and 40 hex digits')
  .transform((text): Address => getAddress(text))

/** A whole number of at least `min` in an environment variable. */
export const integerVariable = (min: number) => z.coerce.number().int().min(min)

/** Amounts, gas and fees in an environment variable: a decimal integer. */
export const bigintVariable = z
  .string()
  .regex(/^(0|[1-9][0-9]*)$/, 'must be a whole number')
  .transform(BigInt)

/** The chain's variables, for every process that reads the chain. */
export const chainVariables = {
  RPC_URL: z.url({ protocol: /^https?$/ }),
  CHAIN_ID: integerVariable(1),
  ESCROW_ADDRESS: addressVariable,
  TOKEN_ADDRESS: addressVariable,
  HOT_WALLET_ADDRESS: addressVariable,
  /** The escrow's deployment block: no earlier block contains anything of ours. */
  START_BLOCK: bigintVariable,
}

/**
 * The factories whose smart wallets may sign before they are deployed (ERC-6492): addresses separated by
 * commas. None by default, and then no such signature is accepted.
 */
export const walletFactoriesVariable = z
  .string()
  .default('')
  .transform((text) => text.split(',').filter((entry) => entry.trim() !== ''))
  .pipe(z.array(z.string().trim().pipe(addressVariable)))

/**
 * The hot wallet's surplus above the ceiling goes to the cold wallet. Set neither or both, and the same for
 * all processes.
 */
export const reserveVariables = {
  COLD_WALLET_ADDRESS: addressVariable.optional(),
  HOT_WALLET_CEILING_MICROS: bigintVariable.optional(),
}

/** The cold wallet's signature over `coldWalletMessage`, which the API publishes. */
export const coldWalletProofVariable = z
  .custom<Hex>((value) => isHex(value) && value.length > 2 && value.length % 2 === 0, 'must be a signature: 0x and hex')
  .optional()

/** A cold wallet, and the amount that the hot wallet keeps; micro-units. */
export interface Reserve {
  coldWallet: Address
  ceilingMicros: bigint
  /** Set only in the API. */
  proof?: Hex | undefined
}

type ReserveEnvironment = {
  COLD_WALLET_ADDRESS?: Address | undefined
  COLD_WALLET_PROOF?: Hex | undefined
  HOT_WALLET_CEILING_MICROS?: bigint | undefined
}

/** Returns the reserve of an environment. Undefined without one: then nothing is swept. */
export function reserveOf(env: ReserveEnvironment): Reserve | undefined {
  const { COLD_WALLET_ADDRESS: coldWallet, HOT_WALLET_CEILING_MICROS: ceilingMicros, COLD_WALLET_PROOF: proof } = env
  return coldWallet === undefined || ceilingMicros === undefined ? undefined : { coldWallet, ceilingMicros, proof }
}

/**
 * Refuses an incomplete reserve, and a cold wallet that is the hot wallet or one of our contracts. For a
 * schema's `check`.
 */
export function requireReserve(
  given: z.core.ParsePayload<
    ReserveEnvironment & { HOT_WALLET_ADDRESS: Address; ESCROW_ADDRESS: Address; TOKEN_ADDRESS: Address }
  >,
): void {
  const { value, issues } = given
  const { COLD_WALLET_ADDRESS: coldWallet, HOT_WALLET_CEILING_MICROS: ceilingMicros } = value
  const wrong = (path: string, message: string) => issues.push({ code: 'custom', path: [path], message, input: path })
  if ((coldWallet === undefined) !== (ceilingMicros === undefined)) {
    wrong(coldWallet === undefined ? 'HOT_WALLET_CEILING_MICROS' : 'COLD_WALLET_ADDRESS', 'needs the other of the two')
  }
  if (coldWallet && [value.HOT_WALLET_ADDRESS, value.ESCROW_ADDRESS, value.TOKEN_ADDRESS].includes(coldWallet)) {
    wrong('COLD_WALLET_ADDRESS', 'must be a wallet of its own')
  }
}

/** Whether the process is part of a sandbox. */
export const sandboxVariable = z
  .enum(['true', 'false'])
  .default('false')
  .transform((value) => value === 'true')

/** Refuses a sandbox on any chain but a test chain. For a schema's `check`. */
export function requireTestChain(given: z.core.ParsePayload<{ MARKET_SANDBOX: boolean; CHAIN_ID: number }>): void {
  const { MARKET_SANDBOX, CHAIN_ID } = given.value
  if (!MARKET_SANDBOX || SANDBOX_CHAIN_IDS.includes(CHAIN_ID)) return
  given.issues.push({
    code: 'custom',
    input: MARKET_SANDBOX,
    path: ['MARKET_SANDBOX'],
    message: `a sandbox runs on a test chain (${SANDBOX_CHAIN_IDS.join(', ')}) only, and CHAIN_ID is ${CHAIN_ID}`,
  })
}

/** A Postgres connection string. */
export const databaseVariable = z.url({ protocol: /^postgres(ql)?$/ })

/**
 * Where Prometheus reads the metrics of a process; without a port they are not served. They are for operators
 * alone.
 */
export const metricsVariables = {
  METRICS_PORT: integerVariable(0).max(65_535).optional(),
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
}

/** The market's database, and the pooler in front of it. */
export const databaseVariables = {
  DATABASE_URL: databaseVariable,
  /**
   * The pooler in front of the database. A `transaction` pooler lends a connection for one transaction and
   * keeps no prepared statements, so statements are not named.
   */
  DATABASE_POOLER: z.enum(['none', 'transaction']).default('none'),
}

/**
 * Refuses the market's database as the index's database: an attacker who takes over the indexer may create
 * functions in the latter. For a schema's `check`.
 */
export function requireIndexApart(
  given: z.core.ParsePayload<{ DATABASE_URL: string; INDEX_DATABASE_URL: string }>,
): void {
  const placeOf = (url: string) => {
    const { host, pathname } = new URL(url)
    return `${host}${pathname}`
  }
  const { DATABASE_URL, INDEX_DATABASE_URL } = given.value
  if (placeOf(DATABASE_URL) !== placeOf(INDEX_DATABASE_URL)) return
  given.issues.push({
    code: 'custom',
    input: INDEX_DATABASE_URL,
    path: ['INDEX_DATABASE_URL'],
    message: "is the market's database: the index must have one of its own",
  })
}

/**
 * Parses a process's environment; a secret may be in a file (`withSecretFiles`). Throws an Error that names
 * every missing or invalid variable, one a line, without any value: some are secrets.
 */
export function readEnvironment<Schema extends z.ZodType>(schema: Schema, env: NodeJS.ProcessEnv): z.output<Schema> {
  // An empty variable counts as not set.
  const set = Object.fromEntries(Object.entries(withSecretFiles(env)).filter(([, value]) => value !== ''))
  const result = schema.safeParse(set)
  if (result.success) return result.data
  const lines = result.error.issues.map(({ path, message }) => {
    // An error in a list's element is reported under the list's name.
    const name = String(path[0])
    return `  ${name}: ${set[name] === undefined ? 'is not set' : message}`
  })
  throw new Error(`The environment is not complete:\n${[...new Set(lines)].join('\n')}`)
}
