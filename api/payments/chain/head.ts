import type { JobServices } from '../../platform/jobs/services.ts'
import { nodesOf, OtherChain } from './nodes.ts'

/** The environment variable of each node's URL. */
export const NAMES = ['RPC_URL', 'RPC_VERIFY_URL'] as const

/** A block number and its time in unix seconds. */
export interface BlockPlace {
  number: bigint
  timestamp: bigint
}

/** Returns the newest block of each node. Throws OtherChain, and any error of an RPC. */
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

/** Returns the newest block that every node has. Throws any error of an RPC. */
export async function commonHead(services: JobServices): Promise<bigint> {
  return lowest(await readHeads(services))
}

/**
 * Returns the newest confirmed block, or undefined while the chain is shorter than CONFIRMATIONS. Throws any error of
 * an RPC.
 */
export async function confirmedBlock(services: JobServices): Promise<bigint | undefined> {
  return confirmedAt(services, await commonHead(services))
}

/** Returns the newest confirmed block when `head` is the newest block. */
export function confirmedAt({ settings }: JobServices, head: bigint): bigint | undefined {
  const block = head - BigInt(settings.chain.confirmations)
  return block < 0n ? undefined : block
}

/** Returns the lowest of these blocks' numbers. */
export function lowest(blocks: readonly BlockPlace[]): bigint {
  return BigInt(Math.min(...blocks.map(({ number }) => Number(number))))
}
