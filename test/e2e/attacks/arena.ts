import type { Address, Hex } from 'viem'
import { payoutNonce } from '../../../protocol/nonces.ts'
import type { Stack } from '../../stack/stack.ts'
import type { Parties } from '../trading.ts'

/** Where attacks take place: the real processes, and a contract that makes any calls in one transaction. */
export interface Arena {
  stack: Stack
  sequence: Address
}

/** The nonce of the payout to the seller of an order whose buyer paid under `nonce`. */
export function payeePayout({ stack: { chain } }: Arena, { buyer }: Parties, nonce: Hex): Hex {
  const hotWallet = chain.accounts.hotWallet.address
  return payoutNonce({ ...chain, hotWallet }, { from: buyer.account.address, nonce }, 'payee')
}
