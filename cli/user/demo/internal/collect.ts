import { type Address, type Hex, isAddressEqual, parseEventLogs } from 'viem'
import { escrowAbi } from '../../../../protocol/generated/escrow.ts'
import { tokenAbi } from '../../../../protocol/generated/token.ts'
import { withdrawCall, withdrawForCall } from '../../../../sdk/escrow.ts'
import { sendEscrowCall } from '../../../../sdk/sendCall.ts'
import type { DemoChain } from '../chain.ts'
import type { Parties } from '../parties.ts'

/** What each party received, read from the logs of the transactions that paid it. */
export interface Received {
  sellerMicros: bigint
  serviceMicros: bigint
}

interface CollectInput {
  mode: 'contract' | 'custodied'
  parties: Parties
  chain: DemoChain
  order: { hold: { deposit_tx: Hex; release_tx?: Hex | undefined } | null }
  note: (step: string, transaction: Hex) => void
}

/** Withdraws the money from the escrow, or reads the hot wallet's payout. */
export async function collect(input: CollectInput): Promise<Received> {
  return input.mode === 'contract' ? withdrawBoth(input) : readPayout(input)
}

async function withdrawBoth({ parties, chain, note }: CollectInput): Promise<Received> {
  const account = parties.seller.account
  const sender = { rpcUrl: chain.rpcUrl, account }
  const seller = await sendEscrowCall(sender, withdrawCall(chain.market))
  note('seller withdraws', seller.transactionHash)
  const service = await sendEscrowCall(sender, withdrawForCall(chain.market, chain.feeRecipient))
  note('service withdraws', service.transactionHash)
  const amountOf = (receipt: typeof seller, to: Address) => {
    const events = parseEventLogs({ abi: escrowAbi, eventName: 'Withdrawn', logs: receipt.logs })
    return events.find(({ args }) => isAddressEqual(args.to, to))?.args.amount ?? 0n
  }
  return { sellerMicros: amountOf(seller, account.address), serviceMicros: amountOf(service, chain.feeRecipient) }
}

/** Returns the seller's payout, and the fee that stayed in the hot wallet. */
async function readPayout({ parties, chain, order }: CollectInput): Promise<Received> {
  if (!order.hold?.release_tx) throw new Error('the order was not paid out')
  const paidIn = await received(chain, order.hold.deposit_tx, chain.hotWallet)
  const sellerMicros = await received(chain, order.hold.release_tx, parties.seller.account.address)
  return { sellerMicros, serviceMicros: paidIn - sellerMicros }
}

async function received({ rpc, token }: DemoChain, hash: Hex, to: Address): Promise<bigint> {
  const { logs } = await rpc.getTransactionReceipt({ hash })
  return parseEventLogs({ abi: tokenAbi, eventName: 'Transfer', logs })
    .filter(({ address, args }) => isAddressEqual(address, token) && isAddressEqual(args.to, to))
    .reduce((sum, { args }) => sum + args.value, 0n)
}
