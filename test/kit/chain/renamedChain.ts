import { join } from 'node:path'
import { createTestClient, http } from 'viem'
import { STATE_DIR } from '../../../cli/machine/paths.ts'
import { freePort } from '../../../cli/machine/ports.ts'
import { launch, signal, untilReady } from '../../../cli/machine/process.ts'
import { chainSpec, chainUrl } from '../../../cli/stack/chain.ts'
import type { TestChain } from './node.ts'

/**
 * Starts a node with all blocks of a chain, under another chain id: what a chain is after a change of its id.
 */
export async function startRenamed(chain: TestChain, chainId: number) {
  const block = await chain.client.getBlockNumber()
  const port = await freePort()
  const spec = chainSpec({ port, miningIntervalMs: 0, chainId, fork: { rpcUrl: chain.rpcUrl, block } })
  const node = launch(spec, join(STATE_DIR, `logs/test/chain-${process.pid}-${port}.log`))
  await untilReady(spec, node)
  node.unref()
  const rpcUrl = chainUrl(port)
  // The node answers no call at the other chain's last block.
  await createTestClient({ mode: 'hardhat', transport: http(rpcUrl) }).mine({ blocks: 1 })
  return { rpcUrl, stop: () => signal(node, 'SIGKILL') }
}
