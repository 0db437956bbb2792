import { getAddress, type Hex, isAddress } from 'viem'
import { z } from 'zod'
import type { SignedAuthorization } from '../../../../protocol/payments/authorization.ts'
import { Problem } from '../../../errors.ts'
import { parseJson } from '../../../platform/http/serve/json.ts'
import { plainMessage } from '../../../platform/http/serve/plainMessage.ts'
import { orderProblems } from './problems.ts'

const MAX_UINT256 = 2n ** 256n - 1n
// Enough for the signature of an ERC-1271 wallet with many owners.
const MAX_SIGNATURE_DIGITS = 8192
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

const address = z
  .string()
  .refine((text) => isAddress(text), 'must be an address: 0x, 40 hex digits, and the right checksum if in mixed case')
  .transform((text) => getAddress(text))
const uint256 = z
  .union([z.string().regex(/^(0|[1-9][0-9]{0,77})$/), z.int().min(0)], 'must be a whole number, in decimal digits')
  .transform((value) => BigInt(value))
  .refine((value) => value <= MAX_UINT256, 'must fit in 256 bits')

/**
 * The members of an EIP-3009 authorization in their wire form: integers as decimal strings or JSON integers.
 */
export const authorizationMembers = {
  from: address,
  to: address,
  value: uint256,
  validAfter: uint256,
  validBefore: uint256,
  nonce: z
    .string()
    .regex(/^0x[0-9a-fA-F]{64}$/, 'must be 0x and 64 hex digits')
    .transform((text) => text.toLowerCase() as Hex),
}

/** The payer's signature: whole bytes in hex. */
export const signatureMember = z
  .string()
  .max(MAX_SIGNATURE_DIGITS)
  .regex(/^0x(?:[0-9a-fA-F]{2})+$/, 'must be 0x and whole bytes of hex')
  .transform((text) => text.toLowerCase() as Hex)

const signedAuthorization = z.strictObject({ ...authorizationMembers, signature: signatureMember })

/**
 * Reads the `signed_authorization` of a fund call: base64 of a JSON object (spec 4.1).
 * Throws authorization/malformed, naming the member, for anything else.
 */
export function decodeSignedAuthorization(encoded: string): SignedAuthorization {
  const field = 'signed_authorization'
  return readMembers(signedAuthorization, decodeBase64Json(encoded, field), field)
}

/**
 * Decodes base64 of a JSON text, with the checks of a JSON body. Throws authorization/malformed for anything
 * else.
 */
export function decodeBase64Json(encoded: string, field: string): unknown {
  if (encoded.length === 0 || !BASE64.test(encoded)) {
    throw new Problem(orderProblems.authorizationMalformed, { detail: 'This is not base64, or it was cut off.', field })
  }
  try {
    return parseJson(Buffer.from(encoded, 'base64'))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new Problem(orderProblems.authorizationMalformed, {
      detail: 'The base64 does not hold a JSON text, or one that names a member twice, or it was cut off.',
      field,
    })
  }
}

/** Parses a decoded value with a schema. Throws authorization/malformed naming the first invalid member. */
export function readMembers<Schema extends z.ZodType>(schema: Schema, value: unknown, field: string): z.output<Schema> {
  const parsed = schema.safeParse(value, { error: plainMessage })
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const member = [field, ...(issue?.path ?? [])].join('.')
  throw new Problem(orderProblems.authorizationMalformed, {
    detail: `${member}: ${issue?.message ?? 'is invalid'}.`,
    field: member,
  })
}
