// Loaded with the dialog that needs it: what it takes of viem is in no page's first load.
import { encodeFunctionData, isAddressEqual, type Log, parseEventLogs } from 'viem'
import { escrowAbi } from '../../../../protocol/abi/escrow.ts'
import { escrowEvents } from '../../../../protocol/abi/escrowEvents.ts'
import { orderKey } from '../../../../protocol/terms.ts'
import type { PaymentMarket } from '../../../../sdk/offer.ts'
import { type ConnectedWallet, type ContractCall, waitForReceipt } from '../../../wallet/wallets.ts'
import type { OrderBody } from './Order.tsx'

export type EscrowAction = 'reclaim' | 'releaseByPayer' | 'refundByPayee'

/**
 * Returns the call of the escrow that ends an order's hold. The terms are read from the chain by the wallet's own node, out of
 * the event of the deposit, so that nothing of the service is needed or trusted. Throws an Error where there is no hold.
 */
export async function escrowCall(
  action: EscrowAction,
  order: OrderBody,
  market: PaymentMarket,
  wallet: ConnectedWallet,
): Promise<ContractCall> {
  if (!order.hold) throw new Error('Nothing was paid for this order, so there is nothing to take out.')
  const receipt = await waitForReceipt(wallet, order.hold.deposit_tx as `0x${string}`)
  const deposits = parseEventLogs({ abi: escrowEvents, eventName: 'Funded', logs: receipt.logs as unknown as Log[] })
  const deposit = deposits.find(
    ({ address, args }) => isAddressEqual(address, market.escrow) && args.terms.order === orderKey(order.urn.body),
  )
  if (!deposit)
    throw new Error('The transaction of the deposit holds nothing for this order on the chain of your wallet.')
  const { terms, payer } = deposit.args
  const data =
    action === 'refundByPayee'
      ? encodeFunctionData({ abi: escrowAbi, functionName: action, args: [terms, payer] })
      : encodeFunctionData({ abi: escrowAbi, functionName: action, args: [terms] })
  return { to: market.escrow, data }
}
