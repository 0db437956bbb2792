import { createPublicClient, http } from 'viem'
import type { UrnObject } from '../protocol/encoding/urn.ts'
import type { EscrowLocation } from '../protocol/payments/terms.ts'
import { exitCall, readHold, requireExpired, withdrawCall } from './escrow.ts'
import { type CallSender, sendEscrowCall } from './sendCall.ts'

/** The payment of an order: `hold.deposit_tx` of the order, or found on the chain. */
interface Deposit {
  order: UrnObject | string
  depositTx: string
}

/**
 * Takes the expired hold of an order back to the wallet that paid it, without the service: the contract
 * credits it with the hold, and pays its whole credit out. Throws an EscrowRefused before the hold has
 * expired, for another wallet or another chain, and viem's errors, of the contract if the hold has ended
 * already.
 */
export async function reclaimHold(sender: CallSender, market: EscrowLocation, deposit: Deposit) {
  const node = createPublicClient({ transport: http(sender.rpcUrl), ccipRead: false })
  const hold = await readHold(node, market, deposit)
  const call = exitCall(market, 'reclaim', hold, sender.account.address)
  await requireExpired(node, hold)
  const { transactionHash: reclaimTx } = await sendEscrowCall(sender, call)
  const { transactionHash: withdrawTx } = await sendEscrowCall(sender, withdrawCall(market))
  return { reclaimedMicros: hold.terms.amount, reclaimTx, withdrawTx }
}
