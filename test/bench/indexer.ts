import { benchBurst } from './burst.ts'
import { benchLive } from './live.ts'
import type { BenchRow } from './rows.ts'

/**
 * How fast the index takes in a burst of 5,000 events, beside asking the node for the same logs and copying
 * them into a table; and how long after a transaction the market has acted on it, beside the node's own
 * confirmations.
 */
export async function bench(): Promise<BenchRow[]> {
  return [...(await benchBurst()), ...(await benchLive())]
}
