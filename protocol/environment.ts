import { type Address, getAddress, isAddress } from 'viem'
import { z } from 'zod'

/** An address in an environment variable, in any case; checksummed afterwards. */
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

/** What every process that reads the chain is told about it. */
export const chainVariables = {
  RPC_URL: z.url({ protocol: /^https?$/ }),
  CHAIN_ID: integerVariable(1),
  ESCROW_ADDRESS: addressVariable,
  TOKEN_ADDRESS: addressVariable,
  HOT_WALLET_ADDRESS: addressVariable,
  /** The escrow's deployment block: nothing of ours is older. */
  START_BLOCK: bigintVariable,
}

/**
 * The factories whose smart wallets may sign before they are deployed (ERC-6492): addresses with commas between them.
 * None by default, and then no such signature is taken.
 */
export const walletFactoriesVariable = z
  .string()
  .default('')
  .transform((text) => text.split(',').filter((entry) => entry.trim() !== ''))
  .pipe(z.array(z.string().trim().pipe(addressVariable)))

/** What the hot wallet holds beyond the ceiling goes to the cold wallet. Neither, or both, and the same for all processes. */
export const reserveVariables = {
  COLD_WALLET_ADDRESS: addressVariable.optional(),
  HOT_WALLET_CEILING_MICROS: bigintVariable.optional(),
}

/** A cold wallet, and what the hot one keeps; micro-units. */
export interface Reserve {
  coldWallet: Address
  ceilingMicros: bigint
}

type ReserveEnvironment = {
  COLD_WALLET_ADDRESS?: Address | undefined
  HOT_WALLET_CEILING_MICROS?: bigint | undefined
}

/** The reserve that an environment names. Undefined without one: then nothing is swept. */
export function reserveOf(env: ReserveEnvironment): Reserve | undefined {
  const { COLD_WALLET_ADDRESS: coldWallet, HOT_WALLET_CEILING_MICROS: ceilingMicros } = env
  return coldWallet === undefined || ceilingMicros === undefined ? undefined : { coldWallet, ceilingMicros }
}

/** Refuses half a reserve, and a cold wallet that is the hot one or a contract of ours. For a schema's `check`. */
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

/** A Postgres connection string. */
export const databaseVariable = z.url({ protocol: /^postgres(ql)?$/ })

/**
 * Reads a process's environment. Throws an Error that names every variable that is missing or wrong, one a line, and
 * never repeats a value: some are secrets.
 */
export function readEnvironment<Schema extends z.ZodType>(schema: Schema, env: NodeJS.ProcessEnv): z.output<Schema> {
  // An empty variable is one that was not set.
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const result = schema.safeParse(set)
  if (result.success) return result.data
  const lines = result.error.issues.map(({ path, message }) => {
    // A list's elements are told of under its name.
    const name = String(path[0])
    return `  ${name}: ${set[name] === undefined ? 'is not set' : message}`
  })
  throw new Error(`The environment is not complete:\n${[...new Set(lines)].join('\n')}`)
}
