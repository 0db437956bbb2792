import { type Address, getAddress, isAddress, isHex, type LocalAccount, size } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { z } from 'zod'
import {
  bigintVariable,
  chainVariables,
  databaseVariables,
  integerVariable,
  metricsVariables,
  readEnvironment,
  requireReserve,
  requireTestChain,
  reserveVariables,
  sandboxVariable,
  walletFactoriesVariable,
} from '../protocol/environment/environment.ts'
import { remoteSigner } from './remoteSigner.ts'
import { x402Variables } from './x402/settings.ts'

const DAY_SECONDS = 86_400

type Accounts = (address: Address) => LocalAccount

/**
 * A private key, or with a remote signer the address of a key that it holds. Converted to an account at once:
 * the key itself is kept nowhere it could be printed from.
 */
const keyOf = (accounts: Accounts | undefined) =>
  z.string().transform((text, check): LocalAccount => {
    if (accounts && isAddress(text, { strict: false })) return accounts(getAddress(text))
    const wrong = (message: string) => check.addIssue({ code: 'custom', message })
    try {
      if (isHex(text) && size(text) === 32) return privateKeyToAccount(text)
      wrong(`must be a private key: 0x and 64 hex digits${accounts ? ', or the address of a key of SIGNER_URL' : ''}`)
    } catch {
      wrong('is not a valid private key')
    }
    return z.NEVER
  })

/** Keys separated by commas. */
const keysOf = (accounts: Accounts | undefined) =>
  z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(keyOf(accounts)).min(1))

/** Keys of verdicts, as `./market keys` and `GET /v1/keys` name them. One for another purpose is refused. */
const verdictKeys = z
  .string()
  .transform((text, check) => {
    try {
      return JSON.parse(text) as unknown
    } catch {
      check.addIssue({ code: 'custom', message: 'is not JSON' })
      return z.NEVER
    }
  })
  .pipe(
    z.array(
      z.object({
        ...{ kty: z.literal('OKP'), crv: z.literal('Ed25519'), alg: z.literal('Ed25519'), use: z.literal('sig') },
        ...{ kid: z.string(), x: z.string(), purpose: z.literal('verdicts') },
        ...{ valid_from: z.iso.datetime(), valid_until: z.iso.datetime().optional() },
      }),
    ),
  )

const environmentWith = (accounts: Accounts | undefined) =>
  z
    .object({
      ...chainVariables,
      ...reserveVariables,
      ...databaseVariables,
      ...metricsVariables,
      /** A second, independent node, which vouches for the times of blocks. */
      RPC_VERIFY_URL: z.url({ protocol: /^https?$/ }).optional(),
      /** How many blocks must follow an event's block before the event counts as final. */
      CONFIRMATIONS: integerVariable(1).max(30).default(2),
      /** The only factories that are called to deploy a payer's wallet (ERC-6492). */
      WALLET_FACTORIES: walletFactoriesVariable,
      /** A remote signer, web3signer in its eth1 mode, for the keys that are given by their addresses. */
      SIGNER_URL: z.url({ protocol: /^https?$/ }).optional(),
      /** They send the calls that any account may send, and share the work. */
      SUBMITTER_KEYS: keysOf(accounts),
      RESOLVER_KEY: keyOf(accounts),
      HOT_WALLET_KEY: keyOf(accounts),
      /**
       * Former submitter and resolver keys: their pending transactions are completed, and nothing new is
       * sent.
       */
      RETIRED_KEYS: keysOf(accounts).default([]),
      /** The maximum of one payout. */
      MAX_PAYOUT_MICROS: bigintVariable.default(10_000_000_000n),
      /** The maximum signed for payees in any 24 hours. */
      DAILY_PAYOUT_MICROS: bigintVariable.default(100_000_000_000n),
      /** The maximum gas of one transaction. */
      MAX_GAS: bigintVariable.default(1_000_000n),
      /** The maximum price of a unit of gas, in wei. More expensive blocks are waited out. */
      MAX_FEE_PER_GAS: bigintVariable.default(500_000_000_000n),
      /** Below this balance in wei a signer is unreliable: the heartbeat stops. */
      MIN_GAS_BALANCE: bigintVariable.default(10_000_000_000_000_000n),
      /** The maximum cost in wei of one owner's payments in any 24 hours, and of a new owner's. */
      DAILY_FUNDING_WEI: bigintVariable.default(500_000_000_000_000_000n),
      NEW_OWNER_FUNDING_WEI: bigintVariable.default(50_000_000_000_000_000n),
      /** If the active facilitator has not extended its lease for this long, another one takes over. */
      LEASE_MS: integerVariable(500).max(60_000).default(5_000),
      POLL_INTERVAL_MS: integerVariable(10).default(200),
      MARKET_SANDBOX: sandboxVariable,
      /** The public address of the API: wallets are bound by messages for its host. */
      BASE_URL: z.url({ protocol: /^https?$/ }),
      /** The largest deposit whose nonce may name no seller, as a stock x402 client's does. */
      X402_MAX_AMOUNT_MICROS: bigintVariable.default(100_000_000n),
      /**
       * The most that is distributed in 24 hours without proof and before its delay has passed, in each
       * direction.
       */
      RELEASE_UNPROVED_DAILY_MICROS: bigintVariable.default(500_000_000n),
      /**
       * How long a distribution without proof waits from its announcement or request: one day, or no time in
       * a sandbox.
       */
      RELEASE_DELAY_SECONDS: integerVariable(0).optional(),
      /** The least fee of an appeal: a verdict whose appeal was paid is no proof. */
      MIN_APPEAL_FEE_MICROS: bigintVariable.default(1_000_000n),
      /** The published keys (JWK) of verdicts that count as proof, each with its validity: a JSON array. */
      VERDICT_KEYS: verdictKeys.default([]),
      ...x402Variables,
    })
    .check(requireReserve, requireTestChain, ({ value, issues }) => {
      const wrong = (path: string, message: string) =>
        issues.push({ code: 'custom', path: [path], message, input: path })
      if (value.HOT_WALLET_KEY.address !== value.HOT_WALLET_ADDRESS) {
        wrong('HOT_WALLET_KEY', 'is not the key of HOT_WALLET_ADDRESS')
      }
      if (value.RPC_VERIFY_URL === value.RPC_URL) wrong('RPC_VERIFY_URL', 'is RPC_URL: a node cannot vouch for itself')
      const addresses = [...value.SUBMITTER_KEYS, value.RESOLVER_KEY, ...value.RETIRED_KEYS].map(
        ({ address }) => address,
      )
      if (new Set(addresses).size < addresses.length) {
        wrong('SUBMITTER_KEYS', 'must differ from each other, RESOLVER_KEY and RETIRED_KEYS: each has its own nonces')
      }
      if (addresses.includes(value.HOT_WALLET_KEY.address)) {
        wrong('HOT_WALLET_KEY', 'is one of SUBMITTER_KEYS, RESOLVER_KEY or RETIRED_KEYS: a key serves one purpose')
      }
      if (value.X402_PORT !== undefined && !value.X402_SECRET) wrong('X402_SECRET', 'is needed with X402_PORT')
    })
    .transform((value) => ({
      ...value,
      RELEASE_DELAY_SECONDS: value.RELEASE_DELAY_SECONDS ?? (value.MARKET_SANDBOX ? 0 : DAY_SECONDS),
    }))

/** The facilitator's configuration. */
export type FacilitatorEnvironment = z.output<ReturnType<typeof environmentWith>>

/**
 * Returns the facilitator's environment. Throws an Error that names the invalid variables, without their
 * values.
 */
export function readFacilitatorEnvironment(env: NodeJS.ProcessEnv): FacilitatorEnvironment {
  const signerUrl = env.SIGNER_URL
  // An invalid address is told with the other variables.
  const accounts = signerUrl && URL.canParse(signerUrl) ? remoteSigner(signerUrl) : undefined
  return readEnvironment(environmentWith(accounts), env)
}

/** Returns the accounts of all keys of a facilitator. */
export function accountsOf(env: FacilitatorEnvironment): LocalAccount[] {
  return [...env.SUBMITTER_KEYS, env.RESOLVER_KEY, env.HOT_WALLET_KEY, ...env.RETIRED_KEYS]
}
