import { getAddress, isAddress, isHex } from 'viem'
import { z } from 'zod'

const MAX_UINT16 = 2 ** 16 - 1
const MAX_UINT48 = 2 ** 48 - 1
const MAX_UINT128 = 2n ** 128n - 1n
const MAX_UINT256 = 2n ** 256n - 1n

// Intents travel through JSON columns: bigints as decimal strings, addresses and hashes as hex.
const address = z
  .string()
  .refine(isAddress, 'not an address')
  .transform((text) => getAddress(text))
// In lower case, as a node writes the topics that it is compared with.
const hash = z
  .custom<`0x${string}`>((text) => isHex(text) && text.length === 66, 'not 32 bytes of hex')
  .transform((text) => text.toLowerCase() as `0x${string}`)
const bytes = z.custom<`0x${string}`>((text) => isHex(text), 'not hex')
const integer = z
  .string()
  .regex(/^(0|[1-9][0-9]{0,77})$/)
  .transform(BigInt)
  .refine((value) => value <= MAX_UINT256, 'must fit in 256 bits')
const uint48 = z.int().min(0).max(MAX_UINT48)

// As wide as the contract's struct: what does not fit has no hash.
const terms = z.strictObject({
  order: hash,
  payee: address,
  amount: integer.refine((value) => value <= MAX_UINT128, 'must fit in 128 bits'),
  feeRecipient: address,
  feeBps: z.int().min(0).max(MAX_UINT16),
  fundBy: uint48,
  expiry: uint48,
})

const signedAuthorization = z.strictObject({
  from: address,
  to: address,
  value: integer,
  validAfter: integer,
  validBefore: integer,
  nonce: hash,
  signature: bytes,
})

/** A payment that reached us: the authorization the token consumed, and the transaction that did it. */
const deposit = z.strictObject({ from: address, nonce: hash, amount: integer, txHash: hash })

/** The wallet owner's signed EIP-4361 message, which the facilitator verifies by itself. */
const walletBinding = z.strictObject({ message: z.string(), signature: bytes })

/** What the chain is asked to do, with the evidence the facilitator checks before it does it. One shape a kind. */
export const intentPayload = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('fund'), terms, authorization: signedAuthorization }),
  z.strictObject({ kind: z.literal('deposit'), authorization: signedAuthorization }),
  z.strictObject({ kind: z.literal('adopt'), terms, payment: deposit }),
  z.strictObject({
    kind: z.literal('release'),
    terms,
    payer: address,
    recipients: z.array(address).min(1).max(3),
    amounts: z.array(integer).min(1).max(3),
  }),
  z.strictObject({
    kind: z.literal('payout'),
    deposit,
    leg: z.enum(['payee', 'payer']),
    to: address,
    amount: integer,
    binding: walletBinding.optional(),
  }),
  z.strictObject({ kind: z.literal('return_stray'), payment: deposit }),
  // Where to is the facilitator's own configuration.
  z.strictObject({ kind: z.literal('sweep'), sequence: integer, amount: integer }),
])

/** An intent as code handles it: bigints and checksummed addresses. */
export type IntentPayload = z.output<typeof intentPayload>

/** One kind of intent. */
export type IntentOf<Kind extends IntentPayload['kind']> = Extract<IntentPayload, { kind: Kind }>

/** An intent as its JSON column holds it. */
export type StoredIntentPayload = z.input<typeof intentPayload>

/** Writes an intent for its JSON column. Throws a ZodError for one that could not be read back. */
export function storeIntent(payload: IntentPayload): StoredIntentPayload {
  const stored = JSON.parse(
    JSON.stringify(payload, (_key, value) => (typeof value === 'bigint' ? value.toString() : value)),
  )
  intentPayload.parse(stored)
  return stored
}
