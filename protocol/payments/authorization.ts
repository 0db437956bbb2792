import type { Address, Hex, TypedDataDomain } from 'viem'
import { toBase64, utf8 } from '../encoding/bytes.ts'

/** The message of an EIP-3009 authorization. The value is in micro-units, the times are unix seconds. */
export interface Authorization {
  from: Address
  to: Address
  value: bigint
  validAfter: bigint
  validBefore: bigint
  nonce: Hex
}

/** An authorization with its signature: 65 bytes of an account, or whatever an ERC-1271 wallet accepts. */
export interface SignedAuthorization extends Authorization {
  signature: Hex
}

/** EIP-712 domain of the payment token. */
export interface TokenDomain {
  name: string
  version: string
  chainId: number
  verifyingContract: Address
}

const MEMBERS = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
] as const

/**
 * Returns EIP-3009 typed data that anyone may submit to the token: what the API asks a payer to sign (spec
 * 4.1).
 */
export function transferAuthorizationTypedData(domain: TokenDomain, message: Authorization) {
  return {
    domain: domain satisfies TypedDataDomain,
    types: { TransferWithAuthorization: MEMBERS },
    primaryType: 'TransferWithAuthorization',
    message,
  } as const
}

/**
 * Returns EIP-3009 typed data that only the recipient may submit, so that no front-runner can submit it
 * without the escrow.
 */
export function receiveAuthorizationTypedData(domain: TokenDomain, message: Authorization) {
  return {
    domain: domain satisfies TypedDataDomain,
    types: { ReceiveWithAuthorization: MEMBERS },
    primaryType: 'ReceiveWithAuthorization',
    message,
  } as const
}

/**
 * Returns the `signed_authorization` of the fund call: base64 of the JSON object (spec 4.1). Integers are
 * decimal strings.
 */
export function encodeSignedAuthorization(signed: SignedAuthorization): string {
  const { value, validAfter, validBefore, ...rest } = signed
  const plain = {
    ...rest,
    value: value.toString(),
    validAfter: validAfter.toString(),
    validBefore: validBefore.toString(),
  }
  return toBase64(utf8(JSON.stringify(plain)))
}
