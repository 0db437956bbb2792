import { trustedMarket } from '../data/storage/trusted.ts'
import { type ConnectedWallet, ensureChain, nodeOf } from './wallets.ts'

/** A transaction that a proof names, and where the service says that it is. */
export interface ProvenTransaction {
  tx_hash: string
  block_number: number
  block_hash: string
  log_index: number
}

/** The answer of a wallet's node about a transaction: the same, another one, or none. */
export type NodeWord = 'same' | 'other' | 'absent'

interface NodeReceipt {
  status: string
  blockHash: string
  logs: readonly { address: string; logIndex: string }[]
}

/**
 * Asks a wallet's own node for each transaction: whether it is in the block that was named, succeeded there,
 * and has that log of the contracts that this browser knows. Throws a WalletError, and an Error for contracts
 * that have changed.
 */
export async function askNode(
  wallet: ConnectedWallet,
  transactions: readonly ProvenTransaction[],
): Promise<NodeWord[]> {
  const market = await trustedMarket()
  await ensureChain(wallet, market.chainId)
  const ours = [market.escrow, market.token].map((address) => address.toLowerCase())
  return Promise.all(
    transactions.map(async ({ tx_hash, block_hash, log_index }) => {
      const params = [tx_hash]
      const found = await nodeOf(wallet).request({ method: 'eth_getTransactionReceipt', params })
      if (!found) return 'absent'
      const { status, blockHash, logs } = found as NodeReceipt
      const log = logs.find(({ logIndex }) => Number(logIndex) === log_index)
      const fits = status === '0x1' && blockHash === block_hash && log && ours.includes(log.address.toLowerCase())
      return fits ? 'same' : 'other'
    }),
  )
}
