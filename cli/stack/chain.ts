import { createPublicClient, createTestClient, http } from 'viem'
import { ROOT } from '../machine/paths.ts'
import type { ProcessSpec } from '../machine/process.ts'

const READY_TIMEOUT_MS = 60_000
const MS_PER_SECOND = 1_000

interface ChainOptions {
  port: number
  miningIntervalMs: number
  chainId?: number
  /** Another node and its newest block: this chain has the same blocks up to it. */
  fork?: { rpcUrl: string; block: bigint }
}

/**
 * Returns the process of our own in-memory chain, which ends with its process. `miningIntervalMs: 0` mines
 * only on request. Its id is 31337 by default.
 */
export function chainSpec(options: ChainOptions): ProcessSpec {
  const rpcUrl = chainUrl(options.port)
  return {
    name: 'chain',
    command: process.execPath,
    args: [
      ...[`${ROOT}node_modules/hardhat/dist/src/cli.js`, '--config', `${ROOT}cli/stack/chain.config.ts`],
      ...['node', '--network', 'node'],
      // In a container, the node would listen on every address by default.
      ...['--hostname', '127.0.0.1', '--port', String(options.port)],
    ],
    env: {
      MINING_INTERVAL_MS: String(options.miningIntervalMs),
      ...(options.chainId === undefined ? {} : { CHAIN_ID: String(options.chainId) }),
      ...(options.fork ? { FORK_URL: options.fork.rpcUrl, FORK_BLOCK: String(options.fork.block) } : {}),
    },
    stopSignal: 'SIGINT',
    // An answer alone could come from another chain on the port.
    isReady: async (started) => started.output().includes('Started HTTP') && answers(rpcUrl),
    readyTimeoutMs: READY_TIMEOUT_MS,
    restartable: false,
  }
}

/**
 * Sets a fresh chain's clock. The node dates its first block when it reads its configuration, and would
 * otherwise stay behind by the time its start took.
 */
export async function setChainClock(rpcUrl: string): Promise<void> {
  const node = createTestClient({ mode: 'hardhat', transport: http(rpcUrl) })
  await node.setNextBlockTimestamp({ timestamp: BigInt(Math.floor(Date.now() / MS_PER_SECOND)) })
  await node.mine({ blocks: 1 })
}

/** Returns the RPC URL of the chain on a port. */
export function chainUrl(port: number): string {
  return `http://127.0.0.1:${port}`
}

async function answers(rpcUrl: string): Promise<boolean> {
  const client = createPublicClient({ transport: http(rpcUrl, { retryCount: 0 }), ccipRead: false })
  return client.getChainId().then(
    () => true,
    () => false,
  )
}
