import type { Hex, PublicClient } from 'viem'

/** Two blocks: the newest, and the newest whose state we take as final. Times are unix seconds. */
export interface Head {
  latest: { number: bigint; hash: Hex; timestamp: bigint; baseFeePerGas: bigint }
  confirmed: { number: bigint; hash: Hex; timestamp: bigint }
}

/** Reads the chain's head, or returns the one known when it is still that. Throws what the RPC throws. */
export async function readHead(client: PublicClient, confirmations: number, known?: Head): Promise<Head> {
  const latest = await client.getBlock({ blockTag: 'latest' })
  if (latest.hash === known?.latest.hash) return known
  const depth = BigInt(confirmations)
  const confirmed = await client.getBlock({ blockNumber: latest.number > depth ? latest.number - depth : 0n })
  return { latest: { ...latest, baseFeePerGas: latest.baseFeePerGas ?? 0n }, confirmed }
}
