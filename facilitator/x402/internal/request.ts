import { type Address, getAddress, type Hex, isAddress } from 'viem'
import { z } from 'zod'
import type { SignedAuthorization } from '../../../protocol/payments/authorization.ts'
import { type Fault, fault } from './reasons.ts'

const VERSION = 2
const MAX_UINT256 = 2n ** 256n - 1n
// Enough for a wallet with many owners, and for the call that deploys it.
const MAX_SIGNATURE_DIGITS = 16_384

const address = z
  .string()
  .refine((text) => isAddress(text), 'must be an address')
  .transform((text): Address => getAddress(text))
const uint256 = z
  .string()
  .regex(/^(0|[1-9][0-9]{0,77})$/, 'must be a whole number in decimal digits')
  .transform(BigInt)
  .refine((value) => value <= MAX_UINT256, 'must fit in 256 bits')
const bytes = (pattern: RegExp) =>
  z
    .string()
    .max(MAX_SIGNATURE_DIGITS)
    .regex(pattern, 'must be hex')
    .transform((text) => text.toLowerCase() as Hex)

// The objects that x402 may extend are open: clients echo whole offers and their own extensions.
const requirements = z.looseObject({
  scheme: z.string(),
  network: z.string(),
  asset: address,
  amount: uint256,
  payTo: address,
  extra: z.looseObject({ name: z.string().optional(), version: z.string().optional() }).nullish(),
})
const envelope = z.looseObject({
  x402Version: z.unknown(),
  paymentPayload: z.looseObject({ x402Version: z.unknown(), accepted: z.unknown(), payload: z.unknown() }),
  paymentRequirements: z.unknown(),
})
const signedPayload = z.looseObject({
  authorization: z.strictObject({
    from: address,
    to: address,
    value: uint256,
    validAfter: uint256,
    validBefore: uint256,
    nonce: bytes(/^0x[0-9a-fA-F]{64}$/),
  }),
  signature: bytes(/^0x(?:[0-9a-fA-F]{2})+$/),
})

/** What an x402 server requires, and what its client accepted. Amounts are micro-units of the asset. */
export type Requirements = z.output<typeof requirements>

/** A payment as an x402 server presents it. */
export interface Presented {
  requirements: Requirements
  accepted: Requirements
  authorization: SignedAuthorization
}

/**
 * Parses the body of a verify or settle call (x402 v2). Returns a fault for another version, type or form.
 */
export function readPresented(body: unknown): Presented | Fault {
  const outer = envelope.safeParse(body)
  if (!outer.success) return unreadable('invalid_payload', outer.error)
  const { x402Version, paymentPayload, paymentRequirements } = outer.data
  if (x402Version !== VERSION || paymentPayload.x402Version !== VERSION) {
    return fault('invalid_x402_version', `This speaks x402 version ${VERSION} alone.`)
  }
  const [asked, accepted] = [
    requirements.safeParse(paymentRequirements),
    requirements.safeParse(paymentPayload.accepted),
  ]
  if (!asked.success) return unreadable('invalid_payment_requirements', asked.error, 'paymentRequirements')
  if (!accepted.success) return unreadable('invalid_payload', accepted.error, 'paymentPayload.accepted')
  if (isOtherMethod(paymentPayload.payload)) {
    return fault('unsupported_payload_type', 'The payload must be an EIP-3009 authorization and its signature.')
  }
  const payload = signedPayload.safeParse(paymentPayload.payload)
  if (!payload.success) return unreadable('invalid_payload', payload.error, 'paymentPayload.payload')
  const { authorization, signature } = payload.data
  return { requirements: asked.data, accepted: accepted.data, authorization: { ...authorization, signature } }
}

/** Returns whether the parsed result is a fault. */
export function isFault(read: object): read is Fault {
  return 'reason' in read
}

// Permit2 and the other transfer methods of `exact`.
function isOtherMethod(payload: unknown): boolean {
  return typeof payload === 'object' && payload !== null && !('authorization' in payload)
}

function unreadable(reason: Fault['reason'], error: z.ZodError, within?: string): Fault {
  const [issue] = error.issues
  const member = [...(within ? [within] : []), ...(issue?.path ?? [])].join('.')
  return fault(reason, `${member || 'The body'}: ${issue?.message ?? 'invalid'}.`)
}
