import { createPublicClient, http } from 'viem'
import { ROOT } from './paths.ts'
import type { ProcessSpec } from './process.ts'

const READY_TIMEOUT_MS = 60_000

/** A chain of our own, in memory: it ends with its process. `miningIntervalMs: 0` mines when told to, and only then. */
export function chainSpec(options: { port: number; miningIntervalMs: number }): ProcessSpec {
  const rpcUrl = chainUrl(options.port)
  return {
    name: 'chain',
    command: process.execPath,
    args: [
      ...[`${ROOT}node_modules/hardhat/dist/src/cli.js`, 'node', '--network', 'node'],
      // Left to itself the node listens on every address where it believes to be in a container.
      ...['--hostname', '127.0.0.1', '--port', String(options.port)],
    ],
    env: { MINING_INTERVAL_MS: String(options.miningIntervalMs) },
    stopSignal: 'SIGINT',
    // An answer alone could come from another chain on the port.
    isReady: async (started) => started.output().includes('Started HTTP') && answers(rpcUrl),
    readyTimeoutMs: READY_TIMEOUT_MS,
    restartable: false,
  }
}

/** Where the chain on a port is reached. */
export function chainUrl(port: number): string {
  return `http://127.0.0.1:${port}`
}

async function answers(rpcUrl: string): Promise<boolean> {
  const client = createPublicClient({ transport: http(rpcUrl, { retryCount: 0 }) })
  return client.getChainId().then(
    () => true,
    () => false,
  )
}
