import {
  type Abi,
  type Account,
  createPublicClient,
  createWalletClient,
  defineChain,
  http,
  type TransactionReceipt,
} from 'viem'
import { type EscrowCall, escrowWays } from './escrow.ts'

const POLLING_INTERVAL_MS = 500

/** A node, and the account that sends the transaction and pays its gas. */
export interface CallSender {
  rpcUrl: string
  account: Account
}

/**
 * Sends an escrow call and waits until it is in a block. Does not send a call that the contract would revert,
 * but throws viem's error with the contract's reason. Throws an Error also if the transaction reverts.
 */
export async function sendEscrowCall({ rpcUrl, account }: CallSender, call: EscrowCall): Promise<TransactionReceipt> {
  const chain = defineChain({
    id: call.chainId,
    name: `chain ${call.chainId}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })
  const transport = http(rpcUrl)
  const rpc = createPublicClient({ chain, transport, pollingInterval: POLLING_INTERVAL_MS, ccipRead: false })
  const { to: address, functionName, args } = call
  const abi: Abi = escrowWays
  await rpc.simulateContract({ address, abi, functionName, args, account })
  const hash = await createWalletClient({ chain, transport, account }).sendTransaction({ to: call.to, data: call.data })
  const receipt = await rpc.waitForTransactionReceipt({ hash })
  if (receipt.status !== 'success') throw new Error(`the transaction ${hash} reverted`)
  return receipt
}
