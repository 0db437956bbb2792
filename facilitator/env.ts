import { isHex, size } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { z } from 'zod'
import {
  bigintVariable,
  chainVariables,
  databaseVariable,
  integerVariable,
  readEnvironment,
  requireReserve,
  reserveVariables,
  walletFactoriesVariable,
} from '../protocol/environment.ts'
import { x402Variables } from './x402/settings.ts'

// Turned into an account at once: the key itself is kept nowhere where it could be printed.
const key = z
  .custom<`0x${string}`>((text) => isHex(text) && size(text) === 32, 'must be a private key: 0x and 64 hex digits')
  .transform((text, check): PrivateKeyAccount => {
    try {
      return privateKeyToAccount(text)
    } catch {
      check.addIssue({ code: 'custom', message: 'is not a valid private key' })
      return z.NEVER
    }
  })

/** Keys with a comma between them. */
const keys = z
  .string()
  .transform((text) => text.split(','))
  .pipe(z.array(key).min(1))

const environment = z
  .object({
    ...chainVariables,
    ...reserveVariables,
    DATABASE_URL: databaseVariable,
    /** How many blocks must lie over a fact before it is taken as final. */
    CONFIRMATIONS: integerVariable(1).max(30).default(2),
    /** The only factories that are called to deploy a payer's wallet (ERC-6492). */
    WALLET_FACTORIES: walletFactoriesVariable,
    /** Send what anyone may send, and share the work. */
    SUBMITTER_KEYS: keys,
    RESOLVER_KEY: key,
    HOT_WALLET_KEY: key,
    /** Former submitter and resolver keys: what they have under way is brought to its end, and nothing new is sent. */
    RETIRED_KEYS: keys.default([]),
    /** The most one payout may be. */
    MAX_PAYOUT_MICROS: bigintVariable.default(10_000_000_000n),
    /** The most that is signed away to payees in any 24 hours. */
    DAILY_PAYOUT_MICROS: bigintVariable.default(100_000_000_000n),
    /** The most gas one transaction may use. */
    MAX_GAS: bigintVariable.default(1_000_000n),
    /** The most a unit of gas may cost, in wei. Dearer blocks are waited out. */
    MAX_FEE_PER_GAS: bigintVariable.default(500_000_000_000n),
    /** Below this many wei a signer cannot be relied on: the heartbeat stops. */
    MIN_GAS_BALANCE: bigintVariable.default(10_000_000_000_000_000n),
    /** The most gas that one owner's payments may use in any 24 hours. */
    DAILY_FUNDING_GAS: bigintVariable.default(200_000_000n),
    POLL_INTERVAL_MS: integerVariable(10).default(200),
    ...x402Variables,
  })
  .check(requireReserve, ({ value, issues }) => {
    const wrong = (path: string, message: string) => issues.push({ code: 'custom', path: [path], message, input: path })
    if (value.HOT_WALLET_KEY.address !== value.HOT_WALLET_ADDRESS) {
      wrong('HOT_WALLET_KEY', 'is not the key of HOT_WALLET_ADDRESS')
    }
    const addresses = [...value.SUBMITTER_KEYS, value.RESOLVER_KEY, ...value.RETIRED_KEYS].map(({ address }) => address)
    if (new Set(addresses).size < addresses.length) {
      wrong('SUBMITTER_KEYS', 'must differ from each other, RESOLVER_KEY and RETIRED_KEYS: each has its own nonces')
    }
    if (value.X402_PORT !== undefined && !value.X402_SECRET) wrong('X402_SECRET', 'is needed with X402_PORT')
  })

/** What the facilitator is told at start. */
export type FacilitatorEnvironment = z.output<typeof environment>

/** Reads the facilitator's environment. Throws an Error that says what is wrong, and repeats no value. */
export function readFacilitatorEnvironment(env: NodeJS.ProcessEnv): FacilitatorEnvironment {
  return readEnvironment(environment, env)
}
