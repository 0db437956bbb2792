import type { Address, Hex } from 'viem'

/** The distribution of a payment that a party signs. Amounts in micro-units; the rest is the fee. */
export interface Settlement {
  /** The order's URN in form B. */
  order: string
  /**
   * The token's identity of the payment: its payer, and the EIP-3009 nonce, which in contract mode is the
   * hash of the terms.
   */
  payer: Address
  nonce: Hex
  amount: bigint
  /** The amount that goes back to the payer. */
  refund: bigint
  /** The amount that the seller is paid, after the fee. */
  payment: bigint
  /**
   * The seller's wallet that is paid; the zero address if the seller has none yet, which is possible only in
   * custody.
   */
  payee: Address
  /** When the signature expires (unix seconds). */
  validBefore: bigint
}

/** Where the payment is held: the escrow contract, or the hot wallet of custody. */
export interface SettlementPlace {
  chainId: number
  holder: Address
}

const NAME = 'Market settlement'
const AMOUNTS = [
  { name: 'order', type: 'string' },
  { name: 'payer', type: 'address' },
  { name: 'nonce', type: 'bytes32' },
  { name: 'amount', type: 'uint256' },
  { name: 'refund', type: 'uint256' },
  { name: 'payment', type: 'uint256' },
] as const
const VALIDITY = { name: 'validBefore', type: 'uint256' } as const

/**
 * Returns the EIP-712 message that a party's wallet signs to agree to a distribution. It names the payment,
 * so that a signature is for one hold; every amount, so that it is for one outcome; and the wallet that is
 * paid, so that nobody can exchange it later.
 */
export function settlementTypedData({ chainId, holder }: SettlementPlace, settlement: Settlement) {
  return {
    domain: { name: NAME, version: '2', chainId, verifyingContract: holder },
    types: { Settlement: [...AMOUNTS, { name: 'payee', type: 'address' }, VALIDITY] },
    primaryType: 'Settlement',
    message: settlement,
  } as const
}

/**
 * Returns the message of version 1, which names no wallet. Only signatures of 1.0.0-rc.1 are made over it.
 */
export function formerSettlementTypedData({ chainId, holder }: SettlementPlace, settlement: Omit<Settlement, 'payee'>) {
  return {
    domain: { name: NAME, version: '1', chainId, verifyingContract: holder },
    types: { Settlement: [...AMOUNTS, VALIDITY] },
    primaryType: 'Settlement',
    message: settlement,
  } as const
}
