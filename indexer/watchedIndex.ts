import pg from 'pg'
import { BlockNotFoundError, type Hex, type PublicClient } from 'viem'
import type { IndexerEnvironment } from './env.ts'

/** The index of one chain, its node, and its place in the database. */
export interface WatchedIndex {
  env: IndexerEnvironment
  client: PublicClient
  schema: string
}

/**
 * Returns a condition in SQL: this process's Ponder follows the chain. A former process leaves its own
 * `is_ready`, which lasts until our Ponder locks the schema; that may take minutes. `lockSchema` has removed
 * the former lock.
 */
export function isFollowing(schema: string): string {
  const meta = `${pg.escapeIdentifier(schema)}._ponder_meta`
  return `exists (select from ${meta} where key = 'app' and value->>'is_ready' = '1' and value->>'is_locked' = '1')`
}

/**
 * Returns the hash of a block at the node, or undefined where it has none. Throws any other error of the
 * node.
 */
export async function hashAt(client: PublicClient, blockNumber: bigint): Promise<Hex | undefined> {
  try {
    return (await client.getBlock({ blockNumber })).hash
  } catch (error) {
    if (error instanceof BlockNotFoundError) return undefined
    throw error
  }
}
