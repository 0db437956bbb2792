import { sql } from 'kysely'
import type { Tx } from '../platform/db/pool.ts'
import type { DevelopmentNode } from './node.ts'

/** The chain's newest block after its clock was advanced. */
export interface MovedChain {
  blockNumber: number
  blockTime: Date
}

/** Advances the chain's clock and mines a block with the new time. Returns that block. */
export async function advanceChain(node: DevelopmentNode, seconds: number): Promise<MovedChain> {
  await node.request({ method: 'evm_increaseTime', params: [seconds] })
  await node.request({ method: 'evm_mine' })
  const block = await node.request({ method: 'eth_getBlockByNumber', params: ['latest', false] })
  return { blockNumber: Number(block.number), blockTime: new Date(Number(block.timestamp) * 1000) }
}

/**
 * Advances the database's clock to the chain's. This also catches up with a chain that is ahead, as after a
 * crash between the two. The update wakes all jobs, because anything may be due at the new time. Sessions
 * that were used in the last hour move with it, so that people can watch a window of days end and stay signed
 * in.
 */
export async function advanceClock(tx: Tx, seconds: number, { blockNumber, blockTime }: MovedChain) {
  const moved = sql`make_interval(secs => ${seconds})`
  const { rows } = await sql<{ now: Date }>`
    with stay as (
      update market.sessions set seen_at = seen_at + ${moved}, expires_at = expires_at + ${moved}
      where seen_at > market.now() - interval '1 hour' returning 1)
    update sandbox.clock
    set shift = greatest(shift + ${moved}, ${blockTime}::timestamptz - transaction_timestamp())
    returning transaction_timestamp() + shift as now`.execute(tx)
  const [clock] = rows
  if (!clock) throw new Error('this database has no clock that can be moved')
  return { now: clock.now.toISOString(), block_number: blockNumber, block_time: blockTime.toISOString() }
}
