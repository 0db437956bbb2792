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

/** Where the escrow is, and who sends the transaction and pays its gas. */
export interface WithdrawInput {
  rpcUrl: string
  chain: Chain
  escrow: Address
  account: Account
}

/** Pays all that the escrow owes the account to the account. Throws when that is nothing, or the transaction reverts. */
export async function withdraw({ rpcUrl, chain, escrow, account }: WithdrawInput): Promise<TransactionReceipt> {
  const { rpc, wallet } = clients({ rpcUrl, chain, account })
  const { request } = await rpc.simulateContract({ address: escrow, abi: escrowAbi, functionName: 'withdraw', account })
  return succeeded(await rpc.waitForTransactionReceipt({ hash: await wallet.writeContract(request) }))
}

/** As withdraw, to `payee`, for whom the account pays the gas. */
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
    rpc: createPublicClient({ chain, transport, pollingInterval: POLLING_INTERVAL_MS }),
    wallet: createWalletClient({ chain, transport, account }),
  }
}

function succeeded(receipt: TransactionReceipt): TransactionReceipt {
  if (receipt.status !== 'success') throw new Error(`the withdrawal ${receipt.transactionHash} reverted`)
  return receipt
}
