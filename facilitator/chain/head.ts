import type { Hex } from 'viem'
import type { ChainContext } from '../context/chain.ts'

/** A block; its time is in unix seconds. */
export interface Block {
  number: bigint
  hash: Hex
  timestamp: bigint
}

/** Two blocks: the newest, and the newest whose state counts as final. */
export interface Head {
  latest: Block & { baseFeePerGas: bigint }
  confirmed: Block
}

/**
 * The node serves another chain than before, which can happen with several nodes behind one address: its answers are
 * not about ours.
 */
export class OtherChain extends Error {}

/**
 * Returns our chain's head, or the known one if it has not changed. State at a head is read by its block hash
 * (EIP-1898), so that only a node with that block can answer. Throws OtherChain, and any error of the RPC.
 */
export async function readHead(
  { client, at: { chainId }, confirmations }: Pick<ChainContext, 'client' | 'at' | 'confirmations'>,
  known?: Head,
): Promise<Head> {
  const latest = await client.getBlock({ blockTag: 'latest' })
  if (latest.hash === known?.latest.hash) return known
  const depth = BigInt(confirmations)
  const [confirmed, served] = await Promise.all([
    client.getBlock({ blockNumber: latest.number > depth ? latest.number - depth : 0n }),
    client.getChainId(),
  ])
  if (served !== chainId) throw new OtherChain(`RPC_URL serves chain ${served} now, and CHAIN_ID is ${chainId}`)
  return { latest: { ...latest, baseFeePerGas: latest.baseFeePerGas ?? 0n }, confirmed }
}
