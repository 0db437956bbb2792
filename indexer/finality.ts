import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { BlockNotFoundError, type Hex, type PublicClient } from 'viem'
import type { IndexerEnvironment } from './env.ts'
import { schemaPrefix } from './schemaName.ts'

const LOOK_INTERVAL_MS = 5_000
const SANDBOX_LOOK_INTERVAL_MS = 2_000

/** The index of one chain, the node it is of, and where it is kept. */
export interface WatchedIndex {
  env: IndexerEnvironment
  client: PublicClient
  schema: string
}

/**
 * Makes room for another index where the chain has left the block up to which this one is final: Ponder never looks at
 * such blocks again, so it would keep what the chain took back, and miss what took its place. What it keeps of the
 * chain, for whichever build, goes. True when there was such an index. Throws what the node and the database throw.
 */
export async function dropAbandoned(index: WatchedIndex): Promise<boolean> {
  return withDatabase(index, async (database) => {
    await database.query(
      `create schema if not exists indexer_final;
       create table if not exists indexer_final.blocks (chain_id bigint primary key, number bigint not null, hash text not null)`,
    )
    if (!(await hasLeft(index, database))) return false
    const { rows } = await database.query<{ name: string }>(
      `select nspname as name from pg_namespace where nspname = 'ponder_sync' or starts_with(nspname, $1)`,
      [schemaPrefix(index.env.CHAIN_ID)],
    )
    for (const { name } of rows) await database.query(`drop schema if exists ${pg.escapeIdentifier(name)} cascade`)
    await database.query('delete from indexer_final.blocks where chain_id = $1', [index.env.CHAIN_ID])
    return true
  })
}

/**
 * Notes which block the index is final up to, again and again, and resolves when the chain has left it. A node or a
 * database that does not answer decides nothing; `onError` is told.
 */
export async function untilAbandoned(index: WatchedIndex, onError: (error: unknown) => void): Promise<void> {
  const intervalMs = index.env.MARKET_SANDBOX === 'true' ? SANDBOX_LOOK_INTERVAL_MS : LOOK_INTERVAL_MS
  for (;;) {
    await delay(intervalMs, undefined, { ref: false })
    const isAbandoned = await withDatabase(index, async (database) => {
      if (await hasLeft(index, database)) return true
      await noteFinal(index, database)
      return false
    }).catch(onError)
    if (isAbandoned) return
  }
}

async function withDatabase<Result>(
  { env }: WatchedIndex,
  task: (database: pg.Client) => Promise<Result>,
): Promise<Result> {
  const database = new pg.Client({ connectionString: env.DATABASE_URL })
  database.on('error', () => {})
  await database.connect()
  try {
    return await task(database)
  } finally {
    await database.end().catch(() => {})
  }
}

/** Whether the node has another block where the one that was noted stood. Where it has none, time will tell. */
async function hasLeft({ env, client }: WatchedIndex, database: pg.Client): Promise<boolean> {
  const { rows } = await database.query<{ number: string; hash: Hex }>(
    'select number, hash from indexer_final.blocks where chain_id = $1',
    [env.CHAIN_ID],
  )
  const [noted] = rows
  if (!noted) return false
  const now = await hashAt(client, BigInt(noted.number))
  return now !== undefined && now !== noted.hash
}

async function noteFinal({ env, client, schema }: WatchedIndex, database: pg.Client): Promise<void> {
  const checkpoints = `${pg.escapeIdentifier(schema)}._ponder_checkpoint`
  // Ponder's checkpoint is one string of fixed-width decimals: this part is the number of its block.
  const { rows } = await database.query<{ number: string }>(
    `select substring(finalized_checkpoint, 27, 16)::bigint as number from ${checkpoints} where chain_id = $1`,
    [env.CHAIN_ID],
  )
  const [final] = rows
  const hash = final && (await hashAt(client, BigInt(final.number)))
  if (!hash) return
  await database.query(
    `insert into indexer_final.blocks (chain_id, number, hash) values ($1, $2, $3)
     on conflict (chain_id) do update set number = excluded.number, hash = excluded.hash
     where blocks.number <> excluded.number`,
    [env.CHAIN_ID, final.number, hash],
  )
}

async function hashAt(client: PublicClient, blockNumber: bigint): Promise<Hex | undefined> {
  try {
    return (await client.getBlock({ blockNumber })).hash
  } catch (error) {
    if (error instanceof BlockNotFoundError) return undefined
    throw error
  }
}
