import type { Address, Hex } from 'viem'

/** The distribution of a payment that a party signs. Amounts in micro-units; the rest is the fee. */
export interface Settlement {
  /** The order's URN in form B. */
  order: string
  /** The token's identity of the payment: its payer, and the EIP-3009 nonce, which in contract mode is the hash of the terms. */
  payer: Address
  nonce: Hex
  amount: bigint
  /** The amount that goes back to the payer. */
  refund: bigint
  /** The amount that the seller is paid, after the fee. */
  payment: bigint
  /** When the signature expires (unix seconds). */
  validBefore: bigint
}

/** Where the payment is held: the escrow contract, or the hot wallet of custody. */
export interface SettlementPlace {
  chainId: number
  holder: Address
}

/**
 * Returns the EIP-712 message that a party's wallet signs to agree to a distribution. It names the payment, so that a signature
 * is for one hold, and every amount, so that it is for one outcome.
 */
export function settlementTypedData({ chainId, holder }: SettlementPlace, settlement: Settlement) {
  return {
    domain: { name: 'Market settlement', version: '1', chainId, verifyingContract: holder },
    types: {
      Settlement: [
        { name: 'order', type: 'string' },
        { name: 'payer', type: 'address' },
        { name: 'nonce', type: 'bytes32' },
        { name: 'amount', type: 'uint256' },
        { name: 'refund', type: 'uint256' },
        { name: 'payment', type: 'uint256' },
        { name: 'validBefore', type: 'uint256' },
      ],
    },
    primaryType: 'Settlement',
    message: settlement,
  } as const
}
