import pg from 'pg'
import type { TestChain } from '../chain/node.ts'
import type { Stack } from './stack.ts'

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

/** Moves the clocks of a stack. */
export async function moveClocksOf({ databaseUrl, chain }: Pick<Stack, 'databaseUrl' | 'chain'>, seconds: number) {
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  await moveClocks(database, chain, seconds).finally(() => database.end())
}
