import type { Address } from 'viem'
import { type ConnectedWallet, type Receipt, sendTransaction, waitForReceipt } from '../../wallet/wallets.ts'

interface Destination {
  escrow: Address
  chainId: number
  /** Empty: the wallet itself. */
  to: string
}

/** Has a wallet withdraw its whole credit, and waits until that is in a block. Throws what is wrong with the address. */
export async function withdrawFrom(wallet: ConnectedWallet, { escrow, chainId, to }: Destination): Promise<Receipt> {
  const { addressOf, typedAddressOf } = await import('../../wallet/encoding.ts')
  const recipient = typedAddressOf(to)
  if (to && !recipient)
    throw new Error('That is no address, or a digit of it is wrong: compare it with where you copied it from.')
  if (recipient === addressOf(escrow)) throw new Error('That is the escrow contract itself: give another address.')
  const { withdrawCall } = await import('../../wallet/escrow.ts')
  const hash = await sendTransaction(wallet, withdrawCall(escrow, recipient), chainId)
  return waitForReceipt(wallet, hash)
}
