import type { EscrowLocation } from '../../../../../protocol/payments/terms.ts'
import { t } from '../../../../texts/texts.ts'
import { type ConnectedWallet, type Receipt, sendTransaction, waitForReceipt } from '../../../../wallet/wallets.ts'

/**
 * Withdraws a wallet's whole credit to an address, or to the wallet itself without one, and waits for the
 * block. Throws an Error if the address is invalid.
 */
export async function withdrawFrom(wallet: ConnectedWallet, market: EscrowLocation, to: string): Promise<Receipt> {
  const { typedAddressOf } = await import('../../../../wallet/encoding.ts')
  const recipient = typedAddressOf(to)
  if (to && !recipient)
    throw new Error(t('This is not an address, or one of its digits is wrong. Compare it with its source.'))
  const { withdrawCall } = await import('../../../../../sdk/escrow.ts')
  return waitForReceipt(wallet, await sendTransaction(wallet, withdrawCall(market, recipient)))
}
