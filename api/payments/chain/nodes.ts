import { isDeepStrictEqual } from 'node:util'
import type { PublicClient } from 'viem'
import type { JobServices } from '../../platform/jobs/services.ts'

/** Two independent nodes gave different answers. Neither is trusted, and an operator must investigate. */
export class NodesDisagree extends Error {}

/**
 * A node serves another chain than ours, which can happen with several nodes behind one address. Its answer is
 * discarded.
 */
export class OtherChain extends NodesDisagree {}

/** Returns the nodes to query: one, or two that must agree. */
export function nodesOf({ rpc, verifyRpc }: Pick<JobServices, 'rpc' | 'verifyRpc'>): PublicClient[] {
  return verifyRpc ? [rpc, verifyRpc] : [rpc]
}

/**
 * Runs a query at every node and returns the common answer. The query must name its block, or a node one block behind
 * would disagree. Throws NodesDisagree when the answers differ, and any error of an RPC.
 */
export async function agreed<Answer>(
  services: Pick<JobServices, 'rpc' | 'verifyRpc'>,
  what: string,
  ask: (node: PublicClient) => Promise<Answer>,
): Promise<Answer> {
  const [first, ...others] = await Promise.all(nodesOf(services).map(ask))
  if (others.every((other) => isDeepStrictEqual(other, first))) return first as Answer
  throw new NodesDisagree(`the two nodes disagree on ${what}`)
}
