import { nodesOf } from './nodes.ts'
import type { JobServices } from './services.ts'

/** The newest block of each node. Throws what an RPC throws. */
export function readHeads(services: JobServices): Promise<bigint[]> {
  return Promise.all(nodesOf(services).map((node) => node.getBlockNumber({ cacheTime: 0 })))
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

/** The lowest of some block numbers. */
export function lowest(blocks: readonly bigint[]): bigint {
  return BigInt(Math.min(...blocks.map(Number)))
}
