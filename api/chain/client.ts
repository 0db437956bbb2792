import { createPublicClient, type PublicClient } from 'viem'
import { nodeTransport } from '../../protocol/rpc.ts'
import { isOutage } from '../faults.ts'

/** A client of one node, for reading. */
export function openRpc(rpcUrl: string): PublicClient {
  return createPublicClient({ transport: nodeTransport(rpcUrl, { retryCount: 2 }), cacheTime: 0 })
}

/** Throws when the node serves another chain than the one that was configured. One that is away is not waited for. */
export async function refuseOtherChain(rpc: PublicClient, chainId: number, variable = 'RPC_URL'): Promise<void> {
  const served = await rpc.getChainId().catch((error: unknown) => {
    if (isOutage(error)) return chainId
    throw error
  })
  if (served !== chainId) throw new Error(`${variable} serves chain ${served}, and CHAIN_ID is ${chainId}`)
}
