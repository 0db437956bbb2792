import { isDeepStrictEqual } from 'node:util'
import { type Address, createPublicClient, type PublicClient } from 'viem'
import type { TokenDomain } from '../../../protocol/payments/authorization.ts'
import { readTokenDomain } from '../../../protocol/payments/tokenDomain.ts'
import { type NodeOptions, nodeTransport } from '../../../protocol/rpc/rpc.ts'
import type { ChainSettings } from '../../context.ts'
import type { JobServices } from '../../platform/jobs/services.ts'

/** Two independent nodes gave different answers. Neither is trusted, and an operator must investigate. */
export class NodesDisagree extends Error {}

/**
 * A node serves another chain than ours, which can happen with several nodes behind one address. Its answer
 * is discarded.
 */
class OtherChain extends NodesDisagree {}

/** Returns the nodes to query: one, or two that must agree. */
export function nodesOf({ rpc, verifyRpc }: Pick<JobServices, 'rpc' | 'verifyRpc'>): PublicClient[] {
  return verifyRpc ? [rpc, verifyRpc] : [rpc]
}

/**
 * Runs a query at every node and returns the common answer. The query must name its block, or a node one
 * block behind would disagree. Throws NodesDisagree when the answers differ, and any error of an RPC.
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

const JOBS: NodeOptions = { retryCount: 2 }
/** Options for queries within an API request: they fail within five seconds if the node hangs. */
export const REQUESTS: NodeOptions = { retryCount: 0, deadlineMs: 2_000 }

/** Returns a read-only client of one node, which asks patiently unless told otherwise. */
export function openRpc(rpcUrl: string, options: NodeOptions = JOBS): PublicClient {
  return createPublicClient({ transport: nodeTransport(rpcUrl, options), cacheTime: 0, ccipRead: false })
}

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
 * Returns the newest confirmed block, or undefined while the chain is shorter than CONFIRMATIONS. Throws any
 * error of an RPC.
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

type TokenLocation = Pick<ChainSettings, 'chainId' | 'token'>

const known = new WeakMap<PublicClient, Map<Address, Promise<TokenDomain>>>()

/**
 * Returns the payment token's EIP-712 domain, read from the token once per client. Throws WrongTokenDomain if
 * the token verifies by another domain, and any error of the RPC; the next call then reads it again.
 */
export async function tokenDomain(rpc: PublicClient, chain: TokenLocation): Promise<TokenDomain> {
  const domains = known.get(rpc) ?? new Map<Address, Promise<TokenDomain>>()
  known.set(rpc, domains)
  const asked = domains.get(chain.token) ?? readTokenDomain(rpc, chain)
  domains.set(chain.token, asked)
  asked.catch(() => domains.delete(chain.token))
  return asked
}
