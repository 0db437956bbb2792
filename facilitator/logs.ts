import type { Log, PublicClient } from 'viem'
import { type LogQuery, readLogs } from '../protocol/logs.ts'

const WINDOW_BLOCKS = 5_000n

/** A log in a block. */
export type MinedLog = Log<bigint, number, false>

/** The newest log that fits, or undefined. Looks backwards, since what is asked for is recent. Throws what the RPC throws. */
export async function findNewestLog(client: PublicClient, query: LogQuery): Promise<MinedLog | undefined> {
  for (let toBlock = query.toBlock; toBlock >= query.fromBlock; toBlock -= WINDOW_BLOCKS) {
    const start = toBlock - WINDOW_BLOCKS + 1n
    const fromBlock = start > query.fromBlock ? start : query.fromBlock
    const log = (await readLogs(client, { ...query, fromBlock, toBlock })).at(-1)
    if (log && isMined(log)) return log
  }
  return undefined
}

function isMined(log: Log): log is MinedLog {
  return log.transactionHash !== null && log.blockNumber !== null && log.logIndex !== null
}
