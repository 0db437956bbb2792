import type { PublicClient } from 'viem'

/**
 * Returns the first block of a range, by bisection, that is not older than a time (unix seconds), or the
 * block after the range if there is none. Throws any error of the RPC.
 */
export async function firstBlockAt(
  client: PublicClient,
  { fromBlock, toBlock }: { fromBlock: bigint; toBlock: bigint },
  seconds: bigint,
): Promise<bigint> {
  let [low, high] = [fromBlock, toBlock + 1n]
  while (low < high) {
    const middle = (low + high) / 2n
    const { timestamp } = await client.getBlock({ blockNumber: middle })
    if (timestamp < seconds) low = middle + 1n
    else high = middle
  }
  return low
}
