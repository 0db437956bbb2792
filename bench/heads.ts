import { setTimeout as delay } from 'node:timers/promises'
import type { TestChain } from '../test/kit/chain/node.ts'

const POLL_MS = 10

/** When each block was first seen at the node: what nobody who waits for confirmations can be faster than. */
export interface HeadWatch {
  /**
   * The time (performance.now) at which the head first was at this height. Throws when it has not been yet.
   */
  reachedMs: (blockNumber: bigint) => number
  stop: () => Promise<void>
}

/** Watches the head until stopped. */
export function watchHeads(chain: TestChain): HeadWatch {
  const seen: { blockNumber: bigint; atMs: number }[] = []
  let watching = true
  const watched = (async () => {
    while (watching) {
      const blockNumber = await chain.client.getBlockNumber({ cacheTime: 0 })
      if (seen.at(-1)?.blockNumber !== blockNumber) seen.push({ blockNumber, atMs: performance.now() })
      await delay(POLL_MS)
    }
  })()
  return {
    reachedMs(blockNumber) {
      const first = seen.find((head) => head.blockNumber >= blockNumber)
      if (!first) throw new Error(`block ${blockNumber} was not seen`)
      return first.atMs
    },
    async stop() {
      watching = false
      await watched
    },
  }
}
