import type { PublicClient } from 'viem'

// Readiness is open to everyone: however often it is asked for, the node is asked once in this time.
const KEPT_MS = 1_000

interface Look {
  at: number
  alive: Promise<boolean>
}

const looks = new WeakMap<PublicClient, Look>()

/** Returns whether the chain's node answers, as of a second ago at most. */
export function isNodeAlive(rpc: PublicClient): Promise<boolean> {
  const last = looks.get(rpc)
  const now = performance.now()
  if (last && now - last.at < KEPT_MS) return last.alive
  const alive = rpc.getBlockNumber({ cacheTime: 0 }).then(
    () => true,
    () => false,
  )
  looks.set(rpc, { at: now, alive })
  return alive
}
