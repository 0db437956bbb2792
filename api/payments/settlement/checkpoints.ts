import { sql } from 'kysely'
import type { Hex } from 'viem'
import { type BlockRange, loggedPlaces } from '../../../protocol/rpc/indexedLogs.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import type { IndexedServices, JobServices } from '../../platform/jobs/services.ts'
import { type IndexRow, readIndexed, readIndexedPlaces, unprocessedRows } from '../chain/indexRows.ts'
import { nodesOf } from '../chain/nodes.ts'
import { forgetCheckpoints, type Progress } from '../chain/progress.ts'
import { alarmMissing } from './internal/missingEvents.ts'
import { hashAt } from './recheck.ts'

/**
 * How far a checkpoint stays below the newest confirmed block. By then the index has compared these blocks
 * with its node, and many passes have checked them.
 */
const DEPTH_BLOCKS = 256n
/** The checkpoints that are kept: with one a minute, a reorganisation of an hour finds one below it. */
const KEPT = 64
/**
 * The most blocks by which one sweep moves the checkpoint: a market's first sweeps cover its whole history.
 */
const MOST_STEPS = 20
const WIDEST_STEP_BLOCKS = 5_000n
/**
 * Beyond this number of blocks with an event that cannot be processed, the checkpoint waits for an operator.
 */
const MOST_OPEN_BLOCKS = 100

/** Every chain event up to a block is processed, except those in the open blocks. */
export interface Checkpoint {
  number: bigint
  hash: Hex
  openBlocks: bigint[]
}

/**
 * Returns the newest checkpoint that the chain still has. Forgets those that a reorganisation removed.
 * Undefined without one. Throws as `hashAt`.
 */
export async function newestCheckpoint(services: JobServices): Promise<Checkpoint | undefined> {
  const { db } = services
  const { rows } = await sql<Checkpoint>`
    select block_number as number, block_hash as hash, open_blocks as "openBlocks"
    from market.sweep_checkpoints order by block_number desc`.execute(db)
  for (const checkpoint of rows) {
    const hash = await hashAt(services, checkpoint.number)
    if (hash === checkpoint.hash) return { ...checkpoint, openBlocks: checkpoint.openBlocks.map(BigInt) }
    // A chain that has not reached the block yet proves nothing.
    if (hash !== undefined) await forgetCheckpoints(db, checkpoint.number)
  }
  return undefined
}

/** Returns the blocks that may hold an event that is not processed, up to a block. */
export function blocksAfter(startBlock: bigint, checkpoint: Checkpoint | undefined, to: bigint): readonly BlockRange[] {
  if (!checkpoint) return [{ from: startBlock, to }]
  const open = checkpoint.openBlocks.map((block) => ({ from: block, to: block }))
  return [...open, { from: checkpoint.number + 1n, to }]
}

/**
 * Moves the checkpoint after a sweep up to `to`: over blocks in which the index shows every event that the
 * nodes log, and all of them are processed. Otherwise does nothing, and raises an alarm if the index lacks an
 * event.
 */
export async function moveCheckpoint(
  services: IndexedServices,
  progress: Progress,
  { checkpoint, to }: { checkpoint: Checkpoint | undefined; to: bigint },
): Promise<void> {
  const { startBlock } = services.settings.chain
  let at = checkpoint
  for (let step = 0; step < MOST_STEPS; step++) {
    const from = at ? at.number + 1n : startBlock
    const end = least(to - DEPTH_BLOCKS, from + WIDEST_STEP_BLOCKS - 1n)
    if (end < from) return
    at = await moveOnce(services, progress, { at, range: { from, to: end } })
    if (!at) return
  }
}

/** Returns the new checkpoint, or undefined if these blocks are not known to be processed. */
async function moveOnce(
  services: IndexedServices,
  progress: Progress,
  { at, range }: { at: Checkpoint | undefined; range: BlockRange },
): Promise<Checkpoint | undefined> {
  const { db, settings } = services
  const blocks = await readIndexedPlaces(services, range)
  if (!blocks?.isWhole) return undefined
  const hash = await hashAt(services, blocks.to)
  const logged = await Promise.all(
    nodesOf(services).map((node) => loggedPlaces(node, settings.chain, { from: range.from, to: blocks.to })),
  )
  // The logs are of this chain, unless it changed meanwhile.
  if (hash === undefined || (await hashAt(services, blocks.to)) !== hash) return undefined
  const missing = logged.flatMap((places) => [...places].filter(([place]) => !blocks.places.has(place)))
  if (missing.length > 0) {
    alarmMissing(services, progress, missing)
    return undefined
  }
  const rows = [...(await rowsIn(services, at?.openBlocks ?? [])), ...blocks.rows]
  return inTransaction(db, 'read write', (tx) => recordCheckpoint(tx, { number: blocks.to, hash }, rows))
}

async function rowsIn(services: IndexedServices, blocks: readonly bigint[]): Promise<IndexRow[]> {
  const rows: IndexRow[] = []
  for (const block of blocks) {
    const range = { from: block, to: block }
    rows.push(...((await readIndexed(services, range))?.rows ?? []))
  }
  return rows
}

/** Records a checkpoint, unless too many of the rows up to it are open. Returns undefined then. */
async function recordCheckpoint(
  tx: Tx,
  { number, hash }: Pick<Checkpoint, 'number' | 'hash'>,
  rows: readonly IndexRow[],
): Promise<Checkpoint | undefined> {
  // A reversal of an event deletes checkpoints first: it has committed, or it waits for this checkpoint and
  // then deletes it.
  await sql`lock table market.sweep_checkpoints in exclusive mode`.execute(tx)
  const open = new Set((await unprocessedRows(tx, rows)).map((row) => row.block_number))
  if (open.size > MOST_OPEN_BLOCKS) return undefined
  const openBlocks = [...open]
  await sql`
    insert into market.sweep_checkpoints (block_number, block_hash, open_blocks)
    values (${number}, ${hash}, ${openBlocks.map(String)}::bigint[])
    on conflict (block_number) do update set block_hash = excluded.block_hash, open_blocks = excluded.open_blocks`.execute(
    tx,
  )
  await sql`
    delete from market.sweep_checkpoints where block_number <= (
      select block_number from market.sweep_checkpoints order by block_number desc offset ${KEPT} limit 1)`.execute(tx)
  return { number, hash, openBlocks }
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other
}
