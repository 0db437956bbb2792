import { nodesOf, OtherChain } from './nodes.ts'
import type { JobServices } from './services.ts'

/** Where each of the nodes is configured. */
export const NAMES = ['RPC_URL', 'RPC_VERIFY_URL'] as const

/** How far something has come on the chain; unix seconds. */
export interface BlockPlace {
  number: bigint
  timestamp: bigint
}

/** The newest block of each node. Throws OtherChain, and what an RPC throws. */
export function readHeads(services: JobServices): Promise<BlockPlace[]> {
  const { chainId } = services.settings.chain
  return Promise.all(
    nodesOf(services).map(async (node, index) => {
      const [head, served] = await Promise.all([node.getBlock({ blockTag: 'latest' }), node.getChainId()])
      if (served === chainId) return head
      throw new OtherChain(`${NAMES[index]} serves chain ${served} now, and CHAIN_ID is ${chainId}`)
    }),
  )
}

/** The newest block that every node has. Throws what an RPC throws. */
export async function commonHead(services: JobServices): Promise<bigint> {
  return lowest(await readHeads(services))
}

/** The newest block deep enough to act on, or undefined while the chain is shorter. Throws what an RPC throws. */
export async function confirmedBlock(services: JobServices): Promise<bigint | undefined> {
  return confirmedAt(services, await commonHead(services))
}

/** The newest block deep enough to act on while this one is the newest of all. */
export function confirmedAt({ settings }: JobServices, head: bigint): bigint | undefined {
  const block = head - BigInt(settings.chain.confirmations)
  return block < 0n ? undefined : block
}

/** The lowest of some blocks' numbers. */
export function lowest(blocks: readonly BlockPlace[]): bigint {
  return BigInt(Math.min(...blocks.map(({ number }) => Number(number))))
}
