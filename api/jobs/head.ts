import type { JobServices } from './services.ts'

/** The newest block deep enough to act on, or undefined while the chain is shorter. Throws what the RPC throws. */
export async function confirmedBlock({ rpc, settings }: JobServices): Promise<bigint | undefined> {
  const head = await rpc.getBlockNumber({ cacheTime: 0 })
  const block = head - BigInt(settings.chain.confirmations)
  return block < 0n ? undefined : block
}
