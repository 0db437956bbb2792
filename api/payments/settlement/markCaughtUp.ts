import { type Hex, type PublicClient, pad } from 'viem'
import { readLogs } from '../../../protocol/rpc/logs.ts'
import { RECLAIMED, RELEASED, TRANSFER } from '../../../protocol/rpc/topics.ts'
import type { JobServices } from '../../platform/jobs/services.ts'
import { nodesOf } from '../chain/nodes.ts'
import { type Progress, processedBlock, recordProcessed } from '../chain/progress.ts'

/**
 * Records that every chain event up to a block is processed, which allows every process to move money. The
 * first time in a database epoch, does so only if no payout and no end of a hold lies between that block and
 * the head at this worker's first pass.
 */
export async function markCaughtUp(
  services: JobServices,
  progress: Progress,
  block: { number: bigint; hash: Hex },
  pass: bigint,
): Promise<void> {
  const { databaseEpoch, firstHead } = progress
  if (!progress.isCaughtUp || databaseEpoch === undefined) return
  if (firstHead !== undefined && firstHead > block.number && !(await processedBlock(services.db))) {
    const range = { fromBlock: block.number + 1n, toBlock: firstHead }
    const looks = await Promise.all(nodesOf(services).map((node) => hasLeft(node, services, range)))
    if (looks.some(Boolean)) return
  }
  await recordProcessed(services.db, block, { databaseEpoch, pass })
}

/** Returns whether these blocks contain a payout or the end of a hold. */
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
