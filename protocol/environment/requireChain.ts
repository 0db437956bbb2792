import type { PublicClient } from 'viem'
import { Unfit } from './databaseFaults.ts'

/** Throws Unfit if a node serves another chain than the configured one. Throws any error of the node. */
export async function requireChain(
  node: Pick<PublicClient, 'getChainId'>,
  chainId: number,
  variable = 'RPC_URL',
): Promise<void> {
  const served = await node.getChainId()
  if (served !== chainId) throw new Unfit(`${variable} serves chain ${served}, and CHAIN_ID is ${chainId}`)
}
