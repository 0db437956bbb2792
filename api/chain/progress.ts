import { sql } from 'kysely'
import type { Hex } from 'viem'
import type { Db, Tx } from '../db/pool.ts'
import { Problem } from '../errors.ts'

const RETRY_SECONDS = 2

/** The confirmed block up to which all that the chain did has been acted on. */
export interface SettledBlock {
  number: bigint
  hash: Hex
}

/** Which life of the database this is: another after a restart of the server or a restored copy. */
export async function readIncarnation(db: Db | Tx): Promise<string> {
  const { rows } = await sql<{ incarnation: string }>`select market.incarnation() as incarnation`.execute(db)
  const [row] = rows
  if (!row) throw new Error('the database has no incarnation')
  return row.incarnation
}

/** How far the chain is known in this life of the database. Undefined while nobody has looked: the fence is closed. */
export async function settledBlock(db: Db | Tx): Promise<SettledBlock | undefined> {
  const { rows } = await sql<SettledBlock>`
    select block_number as number, block_hash as hash from market.chain_progress
    where incarnation = market.incarnation()`.execute(db)
  return rows[0]
}

/** Says how far the chain is known, in that life of the database: with the first time in a life the fence opens. */
export async function noteSettled(db: Db, { number, hash }: SettledBlock, incarnation: string): Promise<void> {
  await sql`
    insert into market.chain_progress (block_number, block_hash, incarnation) values (${number}, ${hash}, ${incarnation})
    on conflict (singleton) do update set block_number = excluded.block_number, block_hash = excluded.block_hash,
      incarnation = excluded.incarnation, settled_at = clock_timestamp()
    where (chain_progress.block_hash, chain_progress.incarnation) <> (excluded.block_hash, excluded.incarnation)`.execute(
    db,
  )
}

/**
 * Throws service/catching-up (503) while it is not known what the chain has done before this life of the database: an
 * earlier copy of it may take for owed what has long been paid. A restart of the API alone closes nothing, because the
 * API remembers nothing that the database could contradict.
 */
export async function requireKnownChain(tx: Tx): Promise<void> {
  if (!(await settledBlock(tx))) throw catchingUp()
}

/** What to answer while no money is moved. */
export function catchingUp(): Problem {
  return new Problem('service/catching-up', {
    detail: 'The service has just started and is reading what the chain did meanwhile. Nothing was changed: try again.',
    retryAfterSeconds: RETRY_SECONDS,
  })
}
