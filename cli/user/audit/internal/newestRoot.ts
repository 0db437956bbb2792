import { setTimeout as wait } from 'node:timers/promises'
import { createPublicClient } from 'viem'
import type { SignedLiabilities } from '../../../../protocol/liabilities/liabilities.ts'
import { nodeTransport } from '../../../../protocol/rpc/rpc.ts'
import { createMarket } from '../../../../sdk/market.ts'
import { ApiProblem } from '../../../../sdk/problem.ts'

const [RETRY_MS, RETRIES] = [500, 30]

/** The service that publishes the root, and the chain that measures its age. */
interface RootSource {
  baseUrl: string | undefined
  rpcUrl: string
  /** How often a sandbox publishes a root. Undefined if the service is no sandbox. */
  periodSeconds: number | undefined
}

/**
 * Returns the newest root that the service published, or none. A sandbox's clock can be moved by hand, which
 * makes its root old at once: waits for the next one.
 */
export async function newestRoot({ baseUrl, rpcUrl, periodSeconds }: RootSource): Promise<SignedLiabilities[]> {
  if (!baseUrl) return []
  let roots = await readRoot(baseUrl)
  for (let retry = 0; retry < RETRIES && periodSeconds && (await ageSeconds(rpcUrl, roots)) > periodSeconds; retry++) {
    await wait(RETRY_MS)
    roots = await readRoot(baseUrl)
  }
  return roots
}

async function readRoot(baseUrl: string): Promise<SignedLiabilities[]> {
  try {
    return [(await createMarket({ baseUrl }).call('getLiabilities', {})).body]
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 404) return []
    throw error
  }
}

/** Returns how much older than the newest block a root is. */
async function ageSeconds(rpcUrl: string, [root]: SignedLiabilities[]): Promise<number> {
  if (!root) return 0
  const client = createPublicClient({ transport: nodeTransport(rpcUrl, { retryCount: 3 }), ccipRead: false })
  const { timestamp } = await client.getBlock()
  return Number(timestamp) - Date.parse(root.document.created_at) / 1_000
}
