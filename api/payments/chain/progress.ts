import { sql } from 'kysely'
import type { Hex } from 'viem'
import { Problem } from '../../errors.ts'
import type { Db, Tx } from '../../platform/db/pool.ts'
import type { Progress } from './settleProgress.ts'

const RETRY_SECONDS = 2

/** The confirmed block up to which every chain event was processed. */
export interface SettledBlock {
  number: bigint
  hash: Hex
}

/**
 * Returns the identifier of this run of the database. It changes when the server restarts and when a copy is restored.
 */
export async function readDatabaseEpoch(db: Db | Tx): Promise<string> {
  const { rows } = await sql<{ epoch: string }>`select market.database_epoch() as epoch`.execute(db)
  const [row] = rows
  if (!row) throw new Error('the database has no epoch')
  return row.epoch
}

/**
 * Returns the block up to which the chain is processed in this database epoch. Undefined while that is unknown: no
 * money moves.
 */
export async function settledBlock(db: Db | Tx): Promise<SettledBlock | undefined> {
  const { rows } = await sql<SettledBlock>`
    select block_number as number, block_hash as hash from market.chain_progress
    where database_epoch = market.database_epoch()`.execute(db)
  return rows[0]
}

/**
 * Records the block up to which the chain is processed in a database epoch. The first record of an epoch allows money
 * to move.
 */
export async function recordSettled(db: Db, { number, hash }: SettledBlock, databaseEpoch: string): Promise<void> {
  await sql`
    insert into market.chain_progress (block_number, block_hash, database_epoch) values (${number}, ${hash}, ${databaseEpoch})
    on conflict (singleton) do update set block_number = excluded.block_number, block_hash = excluded.block_hash,
      database_epoch = excluded.database_epoch, settled_at = clock_timestamp()
    where (chain_progress.block_hash, chain_progress.database_epoch) <> (excluded.block_hash, excluded.database_epoch)`.execute(
    db,
  )
}

/**
 * Forgets the checkpoints from a block on. An event below them is to be processed again, so it comes before the change that
 * says so, in the same transaction: it waits for a checkpoint that is being recorded.
 */
export async function forgetCheckpoints(db: Db | Tx, fromBlock: bigint): Promise<void> {
  await db.deleteFrom('market.sweep_checkpoints').where('block_number', '>=', fromBlock).execute()
}

/**
 * Throws service/catching-up (503) while the chain events before this database epoch are not all known: a restored copy
 * may show as owed what was paid since. A restart of the API alone does not matter, because the API keeps no state.
 */
export async function requireKnownChain(tx: Tx): Promise<void> {
  if (!(await settledBlock(tx))) throw catchingUp()
}

/** Returns whether this worker's jobs may move money: it has caught up with the chain in this database epoch. */
export async function mayMoveMoney(db: Db, progress: Progress): Promise<boolean> {
  return progress.isCaughtUp && (await settledBlock(db)) !== undefined
}

/** Returns the error for calls that move money while the chain is not known. */
export function catchingUp(): Problem {
  return new Problem('service/catching-up', {
    detail: 'The service has just started and is reading what the chain did meanwhile. Nothing was changed: try again.',
    retryAfterSeconds: RETRY_SECONDS,
  })
}
