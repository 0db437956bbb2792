import { getAddress, isAddress, isHex } from 'viem'
import { z } from 'zod'
import { walletBinding } from './walletBinding.ts'
import type { HandoverSignatures } from './walletHandover.ts'

const MAX_UINT16 = 2 ** 16 - 1
const MAX_UINT48 = 2 ** 48 - 1
const MAX_UINT128 = 2n ** 128n - 1n
const MAX_UINT256 = 2n ** 256n - 1n

// Intents are stored in JSON columns: bigints as decimal strings, addresses and hashes as hex.
const address = z
  .string()
  .refine(isAddress, 'not an address')
  .transform((text) => getAddress(text))
// Lowercase, like a node's topics, with which it is compared.
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

// As wide as the contract's struct: larger values have no hash.
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

/** A payment that reached us: the authorization that the token used, and its transaction. */
const deposit = z.strictObject({ from: address, nonce: hash, amount: integer, txHash: hash })

/**
 * The order that a deposit paid, and its seller. The payer signed for them if the deposit's nonce is their
 * hash.
 */
const sale = z.strictObject({ orderId: z.uuid(), agentId: z.uuid(), ownerId: z.uuid() })

/** A party's signature of a settlement (`settlement.ts`). */
const approval = z.strictObject({
  by: z.enum(['payer', 'payee']),
  validBefore: integer,
  signature: bytes,
  /**
   * Only for a seller in custody, because the chain does not name one: the wallet that signed, and its
   * binding.
   */
  seller: z.strictObject({ wallet: address, binding: walletBinding }).optional(),
})

/**
 * Evidence that the parties, or a verdict, want this distribution of a payment. None is needed within limits.
 */
export const releaseEvidence = z.strictObject({
  orderId: z.uuid(),
  /** The whole distribution; the fee is the rest. Micro-units. */
  refund: integer,
  payment: integer,
  approvals: z.array(approval).max(2),
  /** The canonical JSON of a verdict, and the service's signature. */
  verdict: z.strictObject({ document: z.string(), keyId: z.string(), signature: z.string() }).optional(),
  /**
   * A window that elapsed without an objection: the least time since the payment, and the payment's
   * transaction.
   */
  elapsed: z.strictObject({ seconds: uint48, txHash: hash }).optional(),
})

/** Evidence that a distribution is wanted. */
export type ReleaseEvidence = z.output<typeof releaseEvidence>

const release = z.strictObject({
  kind: z.literal('release'),
  terms,
  payer: address,
  recipients: z.array(address).min(1).max(3),
  amounts: z.array(integer).min(1).max(3),
  evidence: releaseEvidence.optional(),
})

const payout = z.strictObject({
  kind: z.literal('payout'),
  deposit,
  leg: z.enum(['payee', 'payer']),
  to: address,
  amount: integer,
  /** The signed binding of `to`, which the facilitator verifies itself. */
  binding: walletBinding.optional(),
  /** Only for the payment of an order: the order and its seller. */
  sale: sale.optional(),
  evidence: releaseEvidence.optional(),
})

/**
 * A transaction for the facilitator to send, with the evidence that it verifies first. One shape per kind.
 */
export const intentPayload = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('fund'), terms, authorization: signedAuthorization }),
  z.strictObject({ kind: z.literal('deposit'), authorization: signedAuthorization }),
  z.strictObject({ kind: z.literal('adopt'), terms, payment: deposit }),
  release,
  payout,
  z.strictObject({ kind: z.literal('return_stray'), payment: deposit }),
  // The recipient is the facilitator's own configuration.
  z.strictObject({ kind: z.literal('sweep'), sequence: integer, amount: integer }),
  // No transaction: the facilitator records that it saw the distribution that is made if nobody objects.
  z.strictObject({
    kind: z.literal('sight'),
    distribution: z.discriminatedUnion('kind', [
      release.omit({ evidence: true }),
      payout.omit({ binding: true, evidence: true }),
    ]),
  }),
  // No transaction: the facilitator records that an owner has this wallet, as a first sight or as handed over
  // by an earlier one.
  z.strictObject({
    kind: z.literal('sight_wallet'),
    ownerId: z.uuid(),
    wallet: address,
    binding: walletBinding,
    handover: z
      .strictObject({
        from: address,
        signatures: z.strictObject({ earlier: bytes, new: bytes }) satisfies z.ZodType<HandoverSignatures>,
      })
      .optional(),
  }),
])

/** A parsed intent: bigints and checksummed addresses. */
export type IntentPayload = z.output<typeof intentPayload>

/** One kind of intent. */
export type IntentOf<Kind extends IntentPayload['kind']> = Extract<IntentPayload, { kind: Kind }>

/** An intent as stored in its JSON column. */
export type StoredIntentPayload = z.input<typeof intentPayload>

/**
 * Returns an intent in the form of its JSON column. Throws a ZodError for one that could not be parsed again.
 */
export function storeIntent(payload: IntentPayload): StoredIntentPayload {
  const stored = JSON.parse(
    JSON.stringify(payload, (_key, value) => (typeof value === 'bigint' ? value.toString() : value)),
  )
  intentPayload.parse(stored)
  return stored
}
