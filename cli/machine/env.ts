import { z } from 'zod'
import { arbitratorVariables, requireModel } from '../../api/config/arbitrator.ts'
import {
  addressVariable,
  databaseVariable,
  readEnvironment,
  requireIndexApart,
} from '../../protocol/environment/environment.ts'
import { hasVariable, withSecretFiles } from '../../protocol/environment/secretFiles.ts'
import { readSandbox } from './sandboxFile.ts'

// The variables every program needs from the machine. No other variable reaches the processes we start.
const MACHINE_VARIABLES = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'NODE_COMPILE_CACHE']

// An order, and whatever is still to be decided about it, is younger. The database refuses less (schema,
// market.audit_turn).
const MIN_AUDIT_RETENTION_SECONDS = 34_560_000

const owned = { DATABASE_URL: databaseVariable, DATABASE_SESSION_URL: databaseVariable.optional() }
const ownerSchema = z.object(owned)
const keptRoleSettings = z
  .string()
  .regex(/^\s*(?:\w+(?:\.\w+)*\s*(?:,\s*|$))*$/, 'must be names of settings, separated by commas')
  .transform((text) =>
    text
      .toLowerCase()
      .split(/[\s,]+/)
      .filter((name) => name !== ''),
  )
  .refine((names) => !names.includes('search_path'), 'must not have search_path: no process starts with one')
  .default([])
const migrateSchema = z
  .object({
    ...owned,
    INDEX_DATABASE_URL: databaseVariable,
    KEPT_ROLE_SETTINGS: keptRoleSettings,
    AUDIT_RETENTION_SECONDS: z
      .string()
      .regex(/^[1-9]\d{0,9}$/, 'must be a number of seconds')
      .transform(Number)
      .refine(
        (seconds) => seconds >= MIN_AUDIT_RETENTION_SECONDS,
        `must be at least ${MIN_AUDIT_RETENTION_SECONDS}, 400 days`,
      )
      .optional(),
  })
  .check(requireIndexApart)
const sandboxSchema = z.object({
  DATABASE_URL: databaseVariable.optional(),
  INDEX_DATABASE_URL: databaseVariable.optional(),
  RPC_URL: z.url({ protocol: /^https?$/ }).optional(),
  DISPUTE_EVIDENCE_SECONDS: z
    .string()
    .regex(/^[1-9]\d{0,6}$/, 'must be a number of seconds')
    .optional(),
})

const signingKey = z
  .string()
  .regex(/^(0x)?[0-9a-fA-F]{64}$/, 'must be 32 bytes of hex')
  .transform((value) => value.replace(/^0x/, '').toLowerCase())
const keysSchema = z.object({
  DATABASE_URL: databaseVariable,
  SIGNING_KEY: signingKey,
  FORMER_SIGNING_KEY: signingKey.optional(),
  NEXT_SIGNING_KEY: signingKey.optional(),
})

const fileOwnerSchema = z.object({
  ...owned,
  CHAIN_ID: z
    .string()
    .regex(/^[1-9]\d{0,15}$/, 'must be a number')
    .transform(Number),
  TOKEN_ADDRESS: addressVariable,
  HOT_WALLET_ADDRESS: addressVariable,
})

const verifySchema = z.object({ RPC_URL: z.url({ protocol: /^https?$/ }), ESCROW_ADDRESS: addressVariable })

const agentSchema = z.object({
  MARKET_URL: z.url({ protocol: /^https?$/ }),
  MARKET_TOKEN: z.string().min(1),
})

/** Returns the market's address, by default the running sandbox's, and the token of the account that acts. */
export async function readAgentEnvironment(): Promise<z.output<typeof agentSchema>> {
  const sandbox = process.env.MARKET_URL ? undefined : await readSandbox()
  return readEnvironment(agentSchema, { ...(sandbox ? { MARKET_URL: sandbox.base_url } : {}), ...process.env })
}

/**
 * Returns the market's address for a person's command, and the token of their account: from the environment,
 * or else those of the running sandbox and its human. The sandbox's token is sent only to the sandbox.
 */
export async function readPersonEnvironment() {
  const { MARKET_URL } = process.env
  const sandbox = MARKET_URL ? undefined : await readSandbox()
  if (!MARKET_URL && !sandbox) {
    throw new Error('There is no running sandbox. Start one with ./market up, or set MARKET_URL and MARKET_TOKEN.')
  }
  const token = sandbox && !hasVariable(process.env, 'MARKET_TOKEN') ? { MARKET_TOKEN: sandbox.human_token } : {}
  const named = sandbox ? { MARKET_URL: sandbox.base_url, ...token } : {}
  const env = readEnvironment(agentSchema, { ...named, ...process.env })
  return { baseUrl: env.MARKET_URL, token: env.MARKET_TOKEN, rpcUrl: sandbox?.rpc_url }
}

/** Returns the market of MARKET_URL, or else the running sandbox; undefined if there is neither. */
export async function readMarketPlace(): Promise<{ baseUrl: string; rpcUrl?: string } | undefined> {
  const { MARKET_URL } = process.env
  if (MARKET_URL) return { baseUrl: MARKET_URL }
  const sandbox = await readSandbox()
  return sandbox && { baseUrl: sandbox.base_url, rpcUrl: sandbox.rpc_url }
}

/** Returns the variables that every process we start inherits. */
export function machineEnvironment(): Record<string, string> {
  return Object.fromEntries(
    MACHINE_VARIABLES.flatMap((name) => {
      const value = process.env[name]
      return value ? [[name, value]] : []
    }),
  )
}

/** Returns the variables of the arbitrator. Throws an Error that names the invalid ones. */
export function readArbitratorEnvironment() {
  return readEnvironment(z.object(arbitratorVariables).check(requireModel), process.env)
}

/** Returns the market's database, as its owner. Throws an Error that names the invalid variable. */
export function readOwnerEnvironment(): z.output<typeof ownerSchema> {
  return readEnvironment(ownerSchema, process.env)
}

/** As above, but by default returns the running sandbox's database. Throws if there is neither. */
export async function readOwnerUrl(): Promise<string> {
  const named = readSandboxEnvironment().DATABASE_URL
  return named ?? (await readSandbox())?.database_url ?? readOwnerEnvironment().DATABASE_URL
}

/**
 * Returns the facilitator's database, as its owner, and whose file it holds. Throws an Error that names the
 * invalid variables.
 */
export function readFileOwner() {
  const env = readEnvironment(fileOwnerSchema, process.env)
  return { ...env, at: { chainId: env.CHAIN_ID, token: env.TOKEN_ADDRESS, hotWallet: env.HOT_WALLET_ADDRESS } }
}

/**
 * Returns the node and the contract for `./market deploy --verify`. Throws an Error that names the invalid
 * variables.
 */
export function readVerifyEnvironment(): z.output<typeof verifySchema> {
  return readEnvironment(verifySchema, process.env)
}

/** Returns the whole environment, to be read as each process reads it. */
export function givenEnvironment(): NodeJS.ProcessEnv {
  return process.env
}

/**
 * Returns the databases for `./market migrate`, as their owners. Throws an Error that names the invalid
 * variables.
 */
export function readMigrateEnvironment(env = process.env): z.output<typeof migrateSchema> {
  return readEnvironment(migrateSchema, env)
}

/**
 * Returns the names of settings that an operator sets for roles. Throws an Error if the variable is invalid.
 */
export function readKeptRoleSettings(env: NodeJS.ProcessEnv): string[] {
  return readEnvironment(z.object({ KEPT_ROLE_SETTINGS: keptRoleSettings }), env).KEPT_ROLE_SETTINGS
}

/**
 * The database of the signing keys, and the key that seals them: from the environment, or else the running
 * sandbox's.
 */
export async function readKeysEnvironment() {
  const sandbox = hasVariable(process.env, 'DATABASE_URL') ? undefined : await readSandbox()
  const named = sandbox && { DATABASE_URL: sandbox.database_url, SIGNING_KEY: sandbox.signing_key }
  const env = readEnvironment(keysSchema, { ...process.env, ...named })
  const otherSigningKeys = [env.FORMER_SIGNING_KEY, env.NEXT_SIGNING_KEY].filter((key) => key !== undefined)
  return { databaseUrl: env.DATABASE_URL, signingKey: env.SIGNING_KEY, otherSigningKeys }
}

/**
 * Returns the services that a sandbox uses instead of starting its own, if any, and how long its disputes
 * take evidence. Throws an Error that names the invalid variable.
 */
export function readSandboxEnvironment(): z.output<typeof sandboxSchema> {
  return readEnvironment(sandboxSchema, process.env)
}

/**
 * Reads the secrets that were given by files, for libraries that take them from our environment. Throws as
 * `withSecretFiles`.
 */
export function takeSecretFiles(): void {
  Object.assign(process.env, withSecretFiles(process.env))
}

/** Sets variables for the test processes, which inherit our whole environment. */
export function setForChildren(variables: Readonly<Record<string, string>>): void {
  Object.assign(process.env, variables)
}
