import type pg from 'pg'
import type { TestChain } from '../chain/node.ts'

/**
 * Moves the clocks of a database and of a chain together. A database that was restored first catches up with
 * the chain.
 */
export async function moveClocks(
  database: Pick<pg.Pool | pg.Client, 'query'>,
  { client }: Pick<TestChain, 'client'>,
  seconds: number,
): Promise<void> {
  const { timestamp } = await client.getBlock()
  await database.query(
    `update sandbox.clock
     set shift = greatest(shift, to_timestamp($2) - transaction_timestamp()) + make_interval(secs => $1)`,
    [seconds, Number(timestamp)],
  )
  await client.increaseTime({ seconds })
}
