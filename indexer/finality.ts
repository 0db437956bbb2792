import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Hex } from 'viem'
import { compareWithChain } from './completeness.ts'
import { schemaPrefix } from './schemaName.ts'
import { openStallDetector } from './stallDetector.ts'
import { hashAt, type WatchedIndex } from './watchedIndex.ts'

const LOOK_INTERVAL_MS = 5_000
const SANDBOX_LOOK_INTERVAL_MS = 2_000

/** Why an index must not be followed further. */
export type Fault =
  | 'the chain left what was final'
  | 'the index is not what the chain shows'
  | 'the index stands still while the chain goes on'

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
 * Drops the index if the chain has dropped the block up to which it is final: Ponder never reads such blocks again, so
 * it would keep the removed events and miss their replacements. Also drops Ponder's stored chain data of every build.
 * Returns whether there was such an index. Throws any error of the node and the database.
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
 * Records repeatedly up to which block the index is final. Resolves when the chain has dropped that block, or shows
 * other events up to there than the index: it may have dropped a block after Ponder's last read and before ours. Also
 * detects an index that has stopped at a block. A node or a database that does not answer decides nothing; its error
 * goes to `onError`.
 */
export async function untilFaulty(index: WatchedIndex, onError: (error: unknown) => void): Promise<IndexFault> {
  const intervalMs = index.env.MARKET_SANDBOX ? SANDBOX_LOOK_INTERVAL_MS : LOOK_INTERVAL_MS
  const standsStill = openStallDetector(index)
  let doubted: bigint | undefined
  const look = async (database: pg.Client): Promise<IndexFault> => {
    for (;;) {
      if (await hasLeft(index, database)) return { fault: 'the chain left what was final' }
      if (await standsStill(database)) return { fault: 'the index stands still while the chain goes on' }
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
 * Records the block up to which the index is final, if every event since the last one matches the node. Returns that
 * block if not: a node may be late with its logs, so a second check must agree.
 */
async function followFinal(
  index: WatchedIndex,
  database: pg.Client,
  doubted: bigint | undefined,
): Promise<bigint | IndexFault | undefined> {
  const [noted, final] = [await readNoted(index, database), await readFinal(index, database)]
  const hash = final !== undefined && final !== noted?.number && (await hashAt(index.client, final))
  if (!hash) return undefined
  const range = noted && { from: noted.number + 1n, to: final }
  const { missing, unknown } = range ? await compareWithChain(index, database, range) : { missing: [], unknown: [] }
  if (missing.length + unknown.length > 0) {
    if (doubted !== final) return final
    // A hash that no block has: at the next start the index is treated as another chain's.
    await note(index, database, { number: final, hash: '0x' })
    return { fault: 'the index is not what the chain shows', blocks: [...missing, ...unknown].map(String) }
  }
  // Unless the chain changed meanwhile.
  if ((await hashAt(index.client, final)) === hash) await note(index, database, { number: final, hash })
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

/** Returns whether the node has another block in place of the recorded one. If it has none yet, nothing is decided. */
async function hasLeft(index: WatchedIndex, database: pg.Client): Promise<boolean> {
  const { env, client } = index
  const noted = await readNoted(index, database)
  const now = noted && (await hashAt(client, noted.number))
  if (now === undefined || now === noted?.hash) return false
  // A node of another chain behind the same address proves nothing about this one.
  return (await client.getChainId()) === env.CHAIN_ID
}

async function readNoted({ env }: WatchedIndex, database: pg.Client): Promise<FinalBlock | undefined> {
  const { rows } = await database.query<{ number: string; hash: Hex }>(
    'select number, hash from indexer_final.blocks where chain_id = $1',
    [env.CHAIN_ID],
  )
  return rows[0] && { number: BigInt(rows[0].number), hash: rows[0].hash }
}

/** Returns the block up to which Ponder considers the chain final. */
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
