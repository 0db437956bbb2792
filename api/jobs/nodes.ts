import { isDeepStrictEqual } from 'node:util'
import type { PublicClient } from 'viem'
import type { JobServices } from './services.ts'

/** Two independent nodes tell the chain differently: neither is believed, and somebody must look at it. */
export class NodesDisagree extends Error {}

/** A node serves another chain than ours, as one of several behind an address may: it is not believed. */
export class OtherChain extends NodesDisagree {}

/** The nodes whose word is asked for: one, or two that must agree. */
export function nodesOf({ rpc, verifyRpc }: Pick<JobServices, 'rpc' | 'verifyRpc'>): PublicClient[] {
  return verifyRpc ? [rpc, verifyRpc] : [rpc]
}

/**
 * What every node answers. The question must name its block, or one that is a block behind would disagree. Throws
 * NodesDisagree when they answer differently, and what an RPC throws.
 */
export async function agreed<Answer>(
  services: Pick<JobServices, 'rpc' | 'verifyRpc'>,
  what: string,
  ask: (node: PublicClient) => Promise<Answer>,
): Promise<Answer> {
  const [first, ...others] = await Promise.all(nodesOf(services).map(ask))
  if (others.every((other) => isDeepStrictEqual(other, first))) return first as Answer
  throw new NodesDisagree(`the two nodes tell ${what} differently`)
}
