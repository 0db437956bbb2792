import {
  type Account,
  type Address,
  type Chain,
  createPublicClient,
  createWalletClient,
  http,
  type TransactionReceipt,
} from 'viem'
import { escrowAbi } from '../protocol/abi/escrow.ts'

const POLLING_INTERVAL_MS = 500

/** The escrow's location, and the account that sends the transaction and pays its gas. */
export interface WithdrawInput {
  rpcUrl: string
  chain: Chain
  escrow: Address
  account: Account
}

/**
 * Withdraws the account's whole credit from the escrow to the account. Throws if there is none, or if the transaction
 * reverts.
 */
export async function withdraw({ rpcUrl, chain, escrow, account }: WithdrawInput): Promise<TransactionReceipt> {
  const { rpc, wallet } = clients({ rpcUrl, chain, account })
  const { request } = await rpc.simulateContract({ address: escrow, abi: escrowAbi, functionName: 'withdraw', account })
  return succeeded(await rpc.waitForTransactionReceipt({ hash: await wallet.writeContract(request) }))
}

/** As withdraw, to `payee`; the account pays the gas. */
export async function withdrawFor(input: WithdrawInput & { payee: Address }): Promise<TransactionReceipt> {
  const { rpc, wallet } = clients(input)
  const { request } = await rpc.simulateContract({
    address: input.escrow,
    abi: escrowAbi,
    functionName: 'withdrawFor',
    args: [input.payee],
    account: input.account,
  })
  return succeeded(await rpc.waitForTransactionReceipt({ hash: await wallet.writeContract(request) }))
}

function clients({ rpcUrl, chain, account }: Pick<WithdrawInput, 'rpcUrl' | 'chain' | 'account'>) {
  const transport = http(rpcUrl)
  return {
    rpc: createPublicClient({ chain, transport, pollingInterval: POLLING_INTERVAL_MS, ccipRead: false }),
    wallet: createWalletClient({ chain, transport, account }),
  }
}

function succeeded(receipt: TransactionReceipt): TransactionReceipt {
  if (receipt.status !== 'success') throw new Error(`the withdrawal ${receipt.transactionHash} reverted`)
  return receipt
}
