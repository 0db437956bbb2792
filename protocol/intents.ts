import { getAddress, isAddress, isHex } from 'viem'
import { z } from 'zod'

// Intents travel through JSON columns: bigints as decimal strings, addresses and hashes as hex.
const address = z
  .string()
  .refine(isAddress, 'not an address')
  .transform((text) => getAddress(text))
const hash = z.custom<`0x${string}`>((text) => isHex(text) && text.length === 66, 'not 32 bytes of hex')
const bytes = z.custom<`0x${string}`>((text) => isHex(text), 'not hex')
const integer = z
  .string()
  .regex(/^(0|[1-9][0-9]*)$/)
  .transform(BigInt)

const terms = z.strictObject({
  order: hash,
  payee: address,
  amount: integer,
  feeRecipient: address,
  feeBps: z.int(),
  fundBy: z.int(),
  expiry: z.int(),
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
