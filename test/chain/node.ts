import { join } from 'node:path'
import { createTestClient, http, publicActions, walletActions } from 'viem'
import { hardhat } from 'viem/chains'
import { chainSpec, chainUrl, setChainClock } from '../../cli/chain.ts'
import { STATE_DIR } from '../../cli/paths.ts'
import { freePort } from '../../cli/ports.ts'
import { launch, signal, untilReady } from '../../cli/process.ts'
import { deploySandbox } from '../../ignition/deploySandbox.ts'

const POLLING_INTERVAL_MS = 50

/** A chain of a test's own, with real USDC and the Escrow on it. Blocks come when the test mines them, or as it sets. */
export type TestChain = Awaited<ReturnType<typeof startChain>>

/** Starts a node and deploys the contracts. It ends with this process. */
export async function startChain() {
  const port = await freePort()
  const rpcUrl = chainUrl(port)
  const spec = chainSpec({ port, miningIntervalMs: 0 })
  const node = launch(spec, join(STATE_DIR, `logs/test/chain-${process.pid}-${port}.log`))
  await untilReady(spec, node)
  await setChainClock(rpcUrl)
  node.unref()
  const deployment = await deploySandbox({ rpcUrl })
  const client = testClient(rpcUrl)
  return { rpcUrl, pid: node.pid, client, ...deployment, stop: () => signal(node, 'SIGKILL') }
}

/** A client of the node that can also mine, move time and sign as its accounts. */
function testClient(rpcUrl: string) {
  return createTestClient({
    mode: 'hardhat',
    chain: hardhat,
    transport: http(rpcUrl),
    pollingInterval: POLLING_INTERVAL_MS,
    cacheTime: 0,
  })
    .extend(publicActions)
    .extend(walletActions)
}
