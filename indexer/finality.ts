import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { BlockNotFoundError, type Hex, type PublicClient } from 'viem'
import { showsWhatChainDoes } from './completeness.ts'
import type { IndexerEnvironment } from './env.ts'
import { schemaPrefix } from './schemaName.ts'
import { openStandstill } from './standstill.ts'

const LOOK_INTERVAL_MS = 5_000
const SANDBOX_LOOK_INTERVAL_MS = 2_000

/** Why an index is not to be followed any further. */
export type Fault =
  | 'the chain left what was final'
  | 'the index is not what the chain shows'
  | 'the index stands still while the chain goes on'

interface FinalBlock {
  number: bigint
  hash: Hex
}

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
 * Notes which block the index is final up to, again and again, and resolves when the chain has left it, or shows other
 * events up to there than the index: it may have left a block after Ponder's last look at it, and before ours. Where it
 * shows the same, the index may stand still, and that is found as well. A node or a database that does not answer decides
 * nothing; `onError` is told.
 */
export async function untilFaulty(index: WatchedIndex, onError: (error: unknown) => void): Promise<Fault> {
  const intervalMs = index.env.MARKET_SANDBOX === 'true' ? SANDBOX_LOOK_INTERVAL_MS : LOOK_INTERVAL_MS
  const standsStill = openStandstill(index)
  let doubted: bigint | undefined
  const look = async (database: pg.Client): Promise<Fault> => {
    for (;;) {
      if (await hasLeft(index, database)) return 'the chain left what was final'
      if (await standsStill(database)) return 'the index stands still while the chain goes on'
      const seen = await followFinal(index, database, doubted)
      if (typeof seen === 'string') return seen
      doubted = seen
      await delay(intervalMs, undefined, { ref: false })
    }
  }
  for (;;) {
    await delay(intervalMs, undefined, { ref: false })
    const fault = await withDatabase(index, look).catch(onError)
    if (fault) return fault
    doubted = undefined
  }
}

/**
 * Notes the block that the index is final up to now, where all since the last one is as the node has it. Answers that
 * block where it is not: a node may be late with its logs, so that a second look must find it too.
 */
async function followFinal(
  index: WatchedIndex,
  database: pg.Client,
  doubted: bigint | undefined,
): Promise<bigint | Fault | undefined> {
  const [noted, final] = [await readNoted(index, database), await readFinal(index, database)]
  const hash = final !== undefined && final !== noted?.number && (await hashAt(index.client, final))
  if (!hash) return undefined
  if (noted && !(await showsWhatChainDoes(index, database, { from: noted.number + 1n, to: final }))) {
    if (doubted !== final) return final
    // What no block has: at the next start the index is taken for another chain's.
    await note(index, database, { number: final, hash: '0x' })
    return 'the index is not what the chain shows'
  }
  // Unless the chain has changed meanwhile.
  if ((await hashAt(index.client, final)) === hash) await note(index, database, { number: final, hash })
  return undefined
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
async function hasLeft(index: WatchedIndex, database: pg.Client): Promise<boolean> {
  const { env, client } = index
  const noted = await readNoted(index, database)
  const now = noted && (await hashAt(client, noted.number))
  if (now === undefined || now === noted?.hash) return false
  // Another chain's node behind the same address says nothing of this one.
  return (await client.getChainId()) === env.CHAIN_ID
}

async function readNoted({ env }: WatchedIndex, database: pg.Client): Promise<FinalBlock | undefined> {
  const { rows } = await database.query<{ number: string; hash: Hex }>(
    'select number, hash from indexer_final.blocks where chain_id = $1',
    [env.CHAIN_ID],
  )
  return rows[0] && { number: BigInt(rows[0].number), hash: rows[0].hash }
}

/** The block up to which Ponder takes the chain for final. */
async function readFinal({ env, schema }: WatchedIndex, database: pg.Client): Promise<bigint | undefined> {
  const checkpoints = `${pg.escapeIdentifier(schema)}._ponder_checkpoint`
  // Ponder's checkpoint is one string of fixed-width decimals: this part is the number of its block.
  const { rows } = await database.query<{ number: string }>(
    `select substring(finalized_checkpoint, 27, 16)::bigint as number from ${checkpoints} where chain_id = $1`,
    [env.CHAIN_ID],
  )
  return rows[0] && BigInt(rows[0].number)
}

async function note({ env }: WatchedIndex, database: pg.Client, { number, hash }: FinalBlock): Promise<void> {
  await database.query(
    `insert into indexer_final.blocks (chain_id, number, hash) values ($1, $2, $3)
     on conflict (chain_id) do update set number = excluded.number, hash = excluded.hash`,
    [env.CHAIN_ID, number, hash],
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
