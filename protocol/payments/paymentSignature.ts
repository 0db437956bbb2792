import { type Address, type Hex, hashTypedData, type PublicClient } from 'viem'
import { normalizeSignature } from '../keys/signatureForms.ts'
import { isSignedBy, isSignedByKey } from '../keys/signatures.ts'
import {
  receiveAuthorizationTypedData,
  type SignedAuthorization,
  type TokenDomain,
  transferAuthorizationTypedData,
} from './authorization.ts'

/**
 * The two types of EIP-3009: only its recipient can submit a `receive`, anyone can submit a `transfer`. A
 * payer who signs the first for the escrow cannot have the payment submitted to the token without it.
 */
export type AuthorizationType = 'receive' | 'transfer'

/**
 * The types that the escrow can submit, in the order in which they are tried. The hot wallet's payers sign a
 * `transfer`.
 */
export const HOLD_TYPES: readonly AuthorizationType[] = ['receive', 'transfer']

/**
 * Returns the first of these types that the payer signed, by the token's rule (`isSignedBy`), or undefined. A
 * contract wallet is called for each. Throws any error of the RPC.
 */
export async function signedType(
  client: PublicClient,
  domain: TokenDomain,
  signed: SignedAuthorization,
  { types, factories }: { types: readonly AuthorizationType[]; factories: readonly Address[] },
): Promise<AuthorizationType | undefined> {
  const { from: account, signature } = signed
  for (const type of types) {
    const digest = digestOf(domain, signed, type)
    if (await isSignedBy(client, { account, digest, signature }, factories)) return type
  }
  return undefined
}

/**
 * Returns the first of these types that the payer's own key signed, without a call to a node, or undefined.
 */
export async function typeSignedByKey(
  domain: TokenDomain,
  signed: SignedAuthorization,
  types: readonly AuthorizationType[],
): Promise<AuthorizationType | undefined> {
  const { from: account, signature } = signed
  for (const type of types) {
    if (await isSignedByKey({ account, digest: digestOf(domain, signed, type), signature })) return type
  }
  return undefined
}

/**
 * Returns a payment with its signature as the token takes it (`normalizeSignature`), if the payer's key
 * signed one of these types.
 */
export async function normalizePayment(
  domain: TokenDomain,
  signed: SignedAuthorization,
  types: readonly AuthorizationType[],
): Promise<SignedAuthorization> {
  const { from: account, signature } = signed
  for (const type of types) {
    const normalized = await normalizeSignature({ account, digest: digestOf(domain, signed, type), signature })
    if (normalized !== signature) return { ...signed, signature: normalized }
  }
  return signed
}

function digestOf(
  domain: TokenDomain,
  { signature: _, ...message }: SignedAuthorization,
  type: AuthorizationType,
): Hex {
  return type === 'receive'
    ? hashTypedData(receiveAuthorizationTypedData(domain, message))
    : hashTypedData(transferAuthorizationTypedData(domain, message))
}
