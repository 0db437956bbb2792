import { BlockNotFoundError, type Hex, type PublicClient } from 'viem'
import type { IndexerEnvironment } from './env.ts'

/** The index of one chain, its node, and its place in the database. */
export interface WatchedIndex {
  env: IndexerEnvironment
  client: PublicClient
  schema: string
}

/** Returns the hash of a block at the node, or undefined where it has none. Throws any other error of the node. */
export async function hashAt(client: PublicClient, blockNumber: bigint): Promise<Hex | undefined> {
  try {
    return (await client.getBlock({ blockNumber })).hash
  } catch (error) {
    if (error instanceof BlockNotFoundError) return undefined
    throw error
  }
}
