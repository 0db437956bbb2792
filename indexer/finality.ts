import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Hex } from 'viem'
import { openAbandonedViews } from './abandonedViews.ts'
import { compareWithChain } from './completeness.ts'
import { openStallDetector } from './stallDetector.ts'
import { hashAt, isFollowing, type WatchedIndex } from './watchedIndex.ts'

const LOOK_INTERVAL_MS = 5_000
const SANDBOX_LOOK_INTERVAL_MS = 2_000
/** How many blocks are compared with the chain at once, at most. */
const COMPARED_BLOCKS = 50_000n

/** Why an index must not be followed further. */
export type Fault =
  | 'the chain left what was final'
  | 'the index is not what the chain shows'
  | 'the index stands still while the chain goes on'
  | 'the views show an index that nobody writes'

/** A fault, and the blocks at which it shows, where they are known. */
export interface IndexFault {
  fault: Fault
  blocks?: string[]
}

interface FinalBlock {
  number: bigint
  hash: Hex
}

/**
 * Drops the index if the chain has dropped the block up to which it is final: Ponder never reads such blocks
 * again, so it would keep the removed events and miss their replacements. Also drops Ponder's stored chain
 * data. The index of another build has a block of its own on file. Returns whether there was such an index.
 * Throws any error of the node and the database.
 */
export async function dropAbandoned(index: WatchedIndex): Promise<boolean> {
  return withDatabase(index, async (database) => {
    await database.query(
      `create schema if not exists indexer_final;
       create table if not exists indexer_final.compared (schema text primary key, number bigint not null, hash text not null);
       create table if not exists indexer_final.stalls (schema text primary key, restarts integer not null)`,
    )
    if (!(await hasLeft(index, database))) return false
    for (const name of ['ponder_sync', index.schema])
      await database.query(`drop schema if exists ${pg.escapeIdentifier(name)} cascade`)
    await database.query('delete from indexer_final.compared where schema = $1', [index.schema])
    return true
  })
}

/**
 * Records repeatedly up to which block the index is final. Resolves when the chain has dropped that block, or
 * shows other events up to there than the index: it may have dropped a block after Ponder's last read and
 * before ours, or the node left out logs when the index was filled. Also detects an index that has stopped at
 * a block, and views that show none that is written. A node or a database that does not answer decides
 * nothing; its error goes to `onError`.
 */
export async function untilFaulty(index: WatchedIndex, onError: (error: unknown) => void): Promise<IndexFault> {
  const intervalMs = index.env.MARKET_SANDBOX ? SANDBOX_LOOK_INTERVAL_MS : LOOK_INTERVAL_MS
  const [standsStill, areViewsAbandoned] = [openStallDetector(index), openAbandonedViews(index)]
  let doubted: bigint | undefined
  const look = async (database: pg.Client): Promise<IndexFault> => {
    for (;;) {
      if (await hasLeft(index, database)) return { fault: 'the chain left what was final' }
      if (await standsStill(database)) return { fault: 'the index stands still while the chain goes on' }
      if (await areViewsAbandoned(database)) return { fault: 'the views show an index that nobody writes' }
      const seen = await followFinal(index, database, doubted)
      if (typeof seen === 'object') return seen
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
 * Records the block up to which the index is final, if every event since the last one matches the node: at
 * first, since the start of the index. Returns that block if not: a node may be late with its logs, so a
 * second check must agree.
 */
async function followFinal(
  index: WatchedIndex,
  database: pg.Client,
  doubted: bigint | undefined,
): Promise<bigint | IndexFault | undefined> {
  const [noted, final] = [await readNoted(index, database), await readFinal(index, database)]
  if (final === undefined || final === noted?.number) return undefined
  // An index that was built again is compared again.
  const from = noted && noted.number < final ? noted.number + 1n : index.env.START_BLOCK
  if (final < from) return undefined
  const to = final - from < COMPARED_BLOCKS ? final : from + COMPARED_BLOCKS - 1n
  const hash = await hashAt(index.client, to)
  if (!hash) return undefined
  const { missing, unknown } = await compareWithChain(index, database, { from, to })
  if (missing.length + unknown.length > 0) {
    if (doubted !== to) return to
    // A hash that no block has: at the next start the index is treated as another chain's.
    await note(index, database, { number: to, hash: '0x' })
    return { fault: 'the index is not what the chain shows', blocks: [...missing, ...unknown].map(String) }
  }
  // Unless the chain changed meanwhile.
  if ((await hashAt(index.client, to)) === hash) await note(index, database, { number: to, hash })
  return undefined
}

async function withDatabase<Result>(
  { env }: WatchedIndex,
  task: (database: pg.Client) => Promise<Result>,
): Promise<Result> {
  const database = new pg.Client({ connectionString: env.INDEX_DATABASE_URL, application_name: 'indexer' })
  database.on('error', () => {})
  await database.connect()
  try {
    return await task(database)
  } finally {
    await database.end().catch(() => {})
  }
}

/**
 * Returns whether the node has another block in place of the recorded one. If it has none yet, nothing is
 * decided.
 */
async function hasLeft(index: WatchedIndex, database: pg.Client): Promise<boolean> {
  const { env, client } = index
  const noted = await readNoted(index, database)
  const now = noted && (await hashAt(client, noted.number))
  if (now === undefined || now === noted?.hash) return false
  // A node of another chain behind the same address proves nothing about this one.
  return (await client.getChainId()) === env.CHAIN_ID
}

async function readNoted({ schema }: WatchedIndex, database: pg.Client): Promise<FinalBlock | undefined> {
  const { rows } = await database.query<{ number: string; hash: Hex }>(
    'select number, hash from indexer_final.compared where schema = $1',
    [schema],
  )
  return rows[0] && { number: BigInt(rows[0].number), hash: rows[0].hash }
}

/** Returns the block up to which Ponder considers the chain final. Undefined while it fills the index. */
async function readFinal({ env, schema }: WatchedIndex, database: pg.Client): Promise<bigint | undefined> {
  const checkpoints = `${pg.escapeIdentifier(schema)}._ponder_checkpoint`
  // Ponder's checkpoint is one string of fixed-width decimals: this part is the number of its block.
  const { rows } = await database.query<{ number: string }>(
    `select substring(finalized_checkpoint, 27, 16)::bigint as number from ${checkpoints}
     where chain_id = $1 and ${isFollowing(schema)}`,
    [env.CHAIN_ID],
  )
  return rows[0] && BigInt(rows[0].number)
}

async function note({ schema }: WatchedIndex, database: pg.Client, { number, hash }: FinalBlock): Promise<void> {
  await database.query(
    `insert into indexer_final.compared (schema, number, hash) values ($1, $2, $3)
     on conflict (schema) do update set number = excluded.number, hash = excluded.hash`,
    [schema, number, hash],
  )
}
