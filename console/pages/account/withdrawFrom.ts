import type { EscrowLocation } from '../../../protocol/payments/terms.ts'
import { type ConnectedWallet, type Receipt, sendTransaction, waitForReceipt } from '../../wallet/wallets.ts'

/**
 * Has a wallet withdraw its whole credit to an address, or to itself where that is empty, and waits until it is in a block. Throws
 * what is wrong with the address.
 */
export async function withdrawFrom(wallet: ConnectedWallet, market: EscrowLocation, to: string): Promise<Receipt> {
  const { typedAddressOf } = await import('../../wallet/encoding.ts')
  const recipient = typedAddressOf(to)
  if (to && !recipient)
    throw new Error('That is no address, or a digit of it is wrong: compare it with where you copied it from.')
  const { withdrawCall } = await import('../../../sdk/escrow.ts')
  return waitForReceipt(wallet, await sendTransaction(wallet, withdrawCall(market, recipient)))
}
