import { type Address, encodeAbiParameters, type Hex, keccak256, stringToBytes, stringToHex } from 'viem'
import { urnString } from '../encoding/urn.ts'

/** The terms of a hold in the Escrow contract. Times are unix seconds, the amount is in micro-units. */
export interface Terms {
  order: Hex
  payee: Address
  amount: bigint
  feeRecipient: Address
  feeBps: number
  fundBy: number
  expiry: number
}

/** The contract of a hold, and the token it holds. */
export interface EscrowLocation {
  /**
   * In a hash of terms: `Escrow.chainId()`, the chain's id at the deployment. Elsewhere the chain's id now.
   */
  chainId: number
  escrow: Address
  token: Address
}

/** EIP-712 style type hash that distinguishes a terms hash from any other hash we sign. */
export const TERMS_TYPEHASH = keccak256(
  stringToHex(
    'Terms(uint256 chainId,address escrow,address token,bytes32 order,address payee,uint128 amount,' +
      'address feeRecipient,uint16 feeBps,uint48 fundBy,uint48 expiry)',
  ),
)

const TERMS_PARAMETERS = [
  { type: 'bytes32' },
  { type: 'uint256' },
  { type: 'address' },
  { type: 'address' },
  { type: 'bytes32' },
  { type: 'address' },
  { type: 'uint128' },
  { type: 'address' },
  { type: 'uint16' },
  { type: 'uint48' },
  { type: 'uint48' },
] as const

/** Returns the key of an order on chain: the hash of its URN in form B. */
export function orderKey(orderId: string): Hex {
  return keccak256(stringToBytes(urnString('order', orderId)))
}

/**
 * Returns Escrow.termsHash: the EIP-3009 nonce that a payer signs in contract mode, so that a signature is
 * only for these terms.
 */
export function termsHash(at: EscrowLocation, terms: Terms): Hex {
  return keccak256(
    encodeAbiParameters(TERMS_PARAMETERS, [
      TERMS_TYPEHASH,
      BigInt(at.chainId),
      at.escrow,
      at.token,
      terms.order,
      terms.payee,
      terms.amount,
      terms.feeRecipient,
      terms.feeBps,
      terms.fundBy,
      terms.expiry,
    ]),
  )
}

/**
 * Returns Escrow.holdId: one payer's hold under these terms. It also marks a returned stray payment as used.
 */
export function holdId(hashOfTerms: Hex, payer: Address): Hex {
  return keccak256(encodeAbiParameters([{ type: 'bytes32' }, { type: 'address' }], [hashOfTerms, payer]))
}
