import { get, request } from 'node:http'
import { createTestClient, defineChain, http, publicActions, walletActions } from 'viem'
import { signal } from '../../../cli/machine/process.ts'
import type { LentChain } from '../../../cli/tools/tests/chains.ts'

const POLLING_INTERVAL_MS = 50

const LOCAL_CHAIN = defineChain({
  id: 31_337,
  name: 'Local',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [] } },
})

/**
 * A chain of a test's own, with real USDC and the Escrow on it. Blocks come when the test mines them, or as
 * it sets.
 */
export type TestChain = Awaited<ReturnType<typeof startChain>>

/**
 * A chain lent by the test run (CHAINS_URL), or, where a file runs alone, one of its own. It ends with this
 * process.
 */
export async function startChain() {
  const { CHAINS_URL } = process.env
  const { rpcUrl, pid, deployment, stop } = await (CHAINS_URL ? borrowChain(CHAINS_URL) : startOwnChain())
  return { rpcUrl, pid, client: testClient(rpcUrl), ...deployment, stop }
}

async function startOwnChain() {
  // Here alone: to load what deploys takes as long as all else that a test file loads.
  const { startNode } = await import('../../../cli/tools/tests/chains.ts')
  const { node, rpcUrl, deployment } = await startNode()
  return { rpcUrl, pid: node.pid, deployment, stop: async () => signal(node, 'SIGKILL') }
}

async function borrowChain(lender: string) {
  const { rpcUrl, pid, deployment } = await lease(lender)
  const stop = async () => {
    const { promise: returned, resolve, reject } = Promise.withResolvers<void>()
    request(`${lender}/${pid}`, { method: 'POST' }, (response) => response.resume().once('end', resolve))
      .once('error', reject)
      .end()
    await returned
  }
  return { rpcUrl, pid, deployment: { ...deployment, startBlock: BigInt(deployment.startBlock) }, stop }
}

/**
 * Asks for a chain. The connection stays open, without keeping this process alive, for as long as it lasts.
 */
function lease(lender: string): Promise<LentChain> {
  const { promise, resolve, reject } = Promise.withResolvers<LentChain>()
  get(lender, { agent: false }, (response) => {
    let text = ''
    response.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      if (!text.endsWith('\n')) return
      response.socket.unref()
      resolve(JSON.parse(text))
    })
    response.once('end', () => reject(new Error(`no chain was lent: ${text}`)))
  }).once('error', reject)
  return promise
}

/** A client of the node that can also mine, move time and sign as its accounts. */
function testClient(rpcUrl: string) {
  return createTestClient({
    mode: 'hardhat',
    chain: LOCAL_CHAIN,
    transport: http(rpcUrl),
    pollingInterval: POLLING_INTERVAL_MS,
    cacheTime: 0,
  })
    .extend(publicActions)
    .extend(walletActions)
}
