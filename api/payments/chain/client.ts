import { createPublicClient, type PublicClient } from 'viem'
import { type NodeOptions, nodeTransport } from '../../../protocol/rpc/rpc.ts'
import { isOutage } from '../../faults.ts'

const JOBS: NodeOptions = { retryCount: 2 }
/** How a request asks: whoever waits for its answer gets one within five seconds, also where the node hangs. */
export const REQUESTS: NodeOptions = { retryCount: 0, deadlineMs: 2_000 }

/** Returns a read-only client of one node, which asks patiently unless told otherwise. */
export function openRpc(rpcUrl: string, options: NodeOptions = JOBS): PublicClient {
  return createPublicClient({ transport: nodeTransport(rpcUrl, options), cacheTime: 0, ccipRead: false })
}

/** Throws when the node serves another chain than the configured one. An unreachable node is not waited for. */
export async function refuseOtherChain(rpc: PublicClient, chainId: number, variable = 'RPC_URL'): Promise<void> {
  const served = await rpc.getChainId().catch((error: unknown) => {
    if (isOutage(error)) return chainId
    throw error
  })
  if (served !== chainId) throw new Error(`${variable} serves chain ${served}, and CHAIN_ID is ${chainId}`)
}
