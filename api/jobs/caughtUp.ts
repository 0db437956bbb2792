import { type Hex, type PublicClient, pad } from 'viem'
import { readLogs } from '../../protocol/logs.ts'
import { RECLAIMED, RELEASED, TRANSFER } from '../../protocol/topics.ts'
import { noteSettled, settledBlock } from '../chain/progress.ts'
import { nodesOf } from './nodes.ts'
import type { Progress } from './progress.ts'
import type { JobServices } from './services.ts'

/**
 * A pass was whole up to a block: says so on file, with which everybody may move money. For the first time in a life of
 * the database only when nothing has left our hands since that block either, up to the head that this worker started at.
 */
export async function noteWholePass(
  services: JobServices,
  progress: Progress,
  block: { number: bigint; hash: Hex },
): Promise<void> {
  const { incarnation, firstHead } = progress
  if (!progress.isCaughtUp || incarnation === undefined) return
  if (firstHead !== undefined && firstHead > block.number && !(await settledBlock(services.db))) {
    const range = { fromBlock: block.number + 1n, toBlock: firstHead }
    const looks = await Promise.all(nodesOf(services).map((node) => hasLeft(node, services, range)))
    if (looks.some(Boolean)) return
  }
  await noteSettled(services.db, block, incarnation)
}

/** Whether a payout or the end of a hold is in these blocks. */
async function hasLeft(
  node: PublicClient,
  { settings: { chain } }: JobServices,
  range: { fromBlock: bigint; toBlock: bigint },
): Promise<boolean> {
  const [payouts, ends] = await Promise.all([
    readLogs(node, { address: chain.token, topics: [TRANSFER, pad(chain.hotWallet)], ...range }),
    readLogs(node, { address: chain.escrow, topics: [[RELEASED, RECLAIMED]], ...range }),
  ])
  return payouts.length + ends.length > 0
}
