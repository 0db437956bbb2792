import { sql } from 'kysely'
import type { Tx } from '../db/pool.ts'
import type { DevelopmentNode } from './node.ts'

/** The chain's newest block after its clock was moved. */
export interface MovedChain {
  blockNumber: number
  blockTime: Date
}

/** Moves the chain's clock, and mines a block that shows it. */
export async function advanceChain(node: DevelopmentNode, seconds: number): Promise<MovedChain> {
  await node.request({ method: 'evm_increaseTime', params: [seconds] })
  await node.request({ method: 'evm_mine' })
  const block = await node.request({ method: 'eth_getBlockByNumber', params: ['latest', false] })
  return { blockNumber: Number(block.number), blockTime: new Date(Number(block.timestamp) * 1000) }
}

/**
 * Moves the database's clock as far as the chain's. It also catches up with a chain that is ahead, as after a crash
 * between the two. Jobs read due rows by this clock every second, so nobody needs to be told.
 */
export async function advanceClock(tx: Tx, seconds: number, { blockNumber, blockTime }: MovedChain) {
  const { rows } = await sql<{ now: Date }>`
    update sandbox.clock
    set shift = greatest(shift + make_interval(secs => ${seconds}), ${blockTime}::timestamptz - transaction_timestamp())
    returning transaction_timestamp() + shift as now`.execute(tx)
  const [clock] = rows
  if (!clock) throw new Error('this database has no clock that can be moved')
  return { now: clock.now.toISOString(), block_number: blockNumber, block_time: blockTime.toISOString() }
}
