import type { Address, Hex } from 'viem'

/** How a payment is distributed, as a party signs it. Amounts in micro-units; what neither gets is the fee. */
export interface Settlement {
  /** The order's URN in form B. */
  order: string
  /** The token's identity of the payment: its payer, and the EIP-3009 nonce, which in contract mode is the hash of the terms. */
  payer: Address
  nonce: Hex
  amount: bigint
  /** What goes back to the payer. */
  refund: bigint
  /** What the seller is paid, less the fee. */
  payment: bigint
  /** Until when the signature counts (unix seconds). */
  validBefore: bigint
}

/** Where the payment is held: the escrow contract, or the hot wallet of custody. */
export interface SettlementPlace {
  chainId: number
  holder: Address
}

/**
 * Returns the EIP-712 message by which a party's wallet agrees to a distribution. It names the payment, so that a signature is for one
 * hold, and every amount, so that it is for one outcome.
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
