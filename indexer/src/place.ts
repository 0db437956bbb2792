import type { Hex } from 'viem'

interface LogEvent {
  block: { number: bigint; hash: Hex; timestamp: bigint }
  transaction: { hash: Hex }
  log: { logIndex: number }
}

/** Returns the columns for an event's place on chain. */
export function placeOf(event: LogEvent, chainId: number) {
  return {
    chainId,
    blockNumber: event.block.number,
    blockHash: event.block.hash,
    blockTimestamp: event.block.timestamp,
    transactionHash: event.transaction.hash,
    logIndex: event.log.logIndex,
  }
}
