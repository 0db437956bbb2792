import { sql } from 'kysely'
import type { Hex } from 'viem'
import type { BlockRange } from '../../../protocol/rpc/indexedLogs.ts'
import { Problem } from '../../errors.ts'
import type { Db, Tx } from '../../platform/db/pool.ts'
import { chainProblems } from './problems.ts'

const RETRY_SECONDS = 2

/** The confirmed block up to which every chain event was processed. */
export interface ProcessedBlock {
  number: bigint
  hash: Hex
}

/**
 * Returns the identifier of this run of the database. It changes when the server restarts and when a copy is
 * restored.
 */
export async function readDatabaseEpoch(db: Db | Tx): Promise<string> {
  const { rows } = await sql<{ epoch: string }>`select market.database_epoch() as epoch`.execute(db)
  const [row] = rows
  if (!row) throw new Error('the database has no epoch')
  return row.epoch
}

/**
 * Returns the block up to which the chain is processed in this database epoch. Undefined while that is
 * unknown: no money moves.
 */
export async function processedBlock(db: Db | Tx): Promise<ProcessedBlock | undefined> {
  const { rows } = await sql<ProcessedBlock>`
    select block_number as number, block_hash as hash from market.chain_progress
    where database_epoch = market.database_epoch()`.execute(db)
  return rows[0]
}

/** Returns a number that is higher than that of every pass over the chain that has begun. */
export async function nextPass(db: Db): Promise<bigint> {
  const { rows } = await sql<{ pass: bigint }>`select nextval('market.settle_passes') as pass`.execute(db)
  const [row] = rows
  if (!row) throw new Error('the database counts no passes')
  return row.pass
}

/**
 * Records the block up to which a pass has processed the chain in a database epoch. The first record of an
 * epoch allows money to move.
 */
export async function recordProcessed(
  db: Db,
  { number, hash }: ProcessedBlock,
  { databaseEpoch, pass }: { databaseEpoch: string; pass: bigint },
): Promise<void> {
  await sql`
    insert into market.chain_progress (block_number, block_hash, database_epoch, pass)
    values (${number}, ${hash}, ${databaseEpoch}, ${pass})
    on conflict (singleton) do update set block_number = excluded.block_number, block_hash = excluded.block_hash,
      database_epoch = excluded.database_epoch, pass = excluded.pass, settled_at = clock_timestamp()`.execute(db)
}

/**
 * Forgets the checkpoints from a block on. Call it in the transaction that marks an event below them for
 * processing, before that change: it waits for a checkpoint that is being recorded.
 */
export async function forgetCheckpoints(db: Db | Tx, fromBlock: bigint): Promise<void> {
  await db.deleteFrom('market.sweep_checkpoints').where('block_number', '>=', fromBlock).execute()
}

/**
 * Throws service/catching-up (503) while the chain events before this database epoch are not all known: a
 * restored copy may show debts that were paid after it was made. A restart of the API alone does not matter,
 * because the API keeps no state.
 */
export async function requireKnownChain(tx: Tx): Promise<void> {
  if (!(await processedBlock(tx))) throw catchingUp()
}

/**
 * Returns whether jobs of a worker may move money: a pass that began after the worker started (after
 * `startedAtPass`) has ended in this database epoch. Any worker may have made that pass.
 */
export async function mayMoveMoney(db: Db, startedAtPass: bigint): Promise<boolean> {
  const { rows } = await sql`
    select from market.chain_progress
    where database_epoch = market.database_epoch() and pass > ${startedAtPass}`.execute(db)
  return rows.length > 0
}

/** Returns the error for calls that move money while the chain is not known. */
export function catchingUp(): Problem {
  return new Problem(chainProblems.catchingUp, {
    detail: 'The service is reading the chain events that it missed. Nothing was changed: try again.',
    retryAfterSeconds: RETRY_SECONDS,
  })
}

/** How far below the last pass the next one starts: the index removes rows for a moment and rewrites them. */
const OVERLAP_BLOCKS = 256n
/** How often a pass covers everything since the checkpoint. */
const SWEEP_INTERVAL_MS = 60_000
/** The interval at which the alarm for an event that cannot be processed is repeated. */
const REPEAT_ALARM_MS = 60_000
/**
 * How long a node or the index may be behind the chain. A starting index, which begins some blocks behind,
 * catches up sooner.
 */
const LAG_PATIENCE_MS = 30_000
/** How many disputed rows are remembered. Forgetting one only delays an alarm. */
const MOST_DOUBTS = 10_000

/**
 * The blocks that a pass covers, the last of which is the confirmed block `to`. `head` is the newest block,
 * `indexed` the block that the index has reached.
 */
export interface Pass {
  ranges: readonly BlockRange[]
  to: bigint
  head: bigint
  indexed: bigint | undefined
  isSweep: boolean
}

/**
 * The state that a worker keeps between passes. It only avoids repeated checks, so it may be lost. After a
 * restart of the worker or the database, no money moves until a complete sweep has read the chain events
 * since (`isCaughtUp`).
 */
export class Progress {
  #settledTo = 0n
  #sweptAt = Number.NEGATIVE_INFINITY
  #isCaughtUp = false
  #isBehind = false
  #databaseEpoch: string | undefined
  #firstHead: bigint | undefined
  readonly #lagPatienceMs: number
  readonly #alarms = new Map<string, number>()
  /** The nodes or index that are behind the chain, and since when. */
  readonly #late = new Map<string, number>()
  /** Rows that the nodes did not confirm, and the head when that was first seen. */
  readonly #doubts = new Map<string, bigint>()

  /** A confirmed block on whose chain every processed event is. Undefined if that must be checked. */
  tip: { number: bigint; hash: Hex } | undefined

  constructor({ lagPatienceMs = LAG_PATIENCE_MS } = {}) {
    this.#lagPatienceMs = lagPatienceMs
  }

  get isCaughtUp(): boolean {
    return this.#isCaughtUp
  }

  /** Whether the last pass was incomplete: the index or a node was behind, or they did not agree. */
  get isBehind(): boolean {
    return this.#isBehind
  }

  /** The database epoch that this state belongs to. */
  get databaseEpoch(): string | undefined {
    return this.#databaseEpoch
  }

  /** The newest block at the first pass of this database epoch. */
  get firstHead(): bigint | undefined {
    return this.#firstHead
  }

  /** Starts a pass in this database epoch. A new epoch discards everything known before. */
  enterEpoch(databaseEpoch: string, head: bigint): void {
    if (databaseEpoch === this.#databaseEpoch) return
    this.#databaseEpoch = databaseEpoch
    this.#firstHead = head
    this.#isCaughtUp = false
    this.#sweptAt = Number.NEGATIVE_INFINITY
    this.tip = undefined
  }

  /**
   * Starts a pass. Returns its first block, or undefined if it is a sweep, which begins at the checkpoint.
   */
  begin(startBlock: bigint): bigint | undefined {
    this.#isBehind = true
    if (performance.now() - this.#sweptAt > SWEEP_INTERVAL_MS) return undefined
    const recent = this.#settledTo - OVERLAP_BLOCKS
    return recent < startBlock ? startBlock : recent
  }

  /**
   * Records that a pass covered everything up to a block. `isWhole`: the index had reached that block and the
   * nodes agreed.
   */
  end(pass: { to: bigint; isSweep: boolean; isWhole: boolean }): void {
    if (!pass.isWhole) return
    this.#isBehind = false
    this.#settledTo = pass.to
    if (!pass.isSweep) return
    this.#sweptAt = performance.now()
    this.#isCaughtUp = true
  }

  /**
   * Returns whether the index still shows a row that the nodes do not, although it has passed the head at
   * which that was first seen. Before that, the index may simply not have followed the chain to another fork
   * yet.
   */
  isLasting(row: string, { head, indexed }: Pass): boolean {
    const since = this.#doubts.get(row)
    if (since === undefined) {
      if (this.#doubts.size >= MOST_DOUBTS) this.#doubts.clear()
      this.#doubts.set(row, head)
      return false
    }
    return indexed !== undefined && indexed >= since
  }

  /** Returns whether the alarm for an event that cannot be processed is due (again). */
  shouldAlarm(key: string): boolean {
    const now = performance.now()
    for (const [known, saidAt] of this.#alarms) if (now - saidAt > REPEAT_ALARM_MS) this.#alarms.delete(known)
    if (this.#alarms.has(key)) return false
    this.#alarms.set(key, now)
    return true
  }

  /**
   * Returns whether a node or the index was behind the chain at every check, for longer than catching up
   * takes.
   */
  isLateForLong(who: string, isLate: boolean): boolean {
    const now = performance.now()
    if (!isLate) this.#late.delete(who)
    else if (!this.#late.has(who)) this.#late.set(who, now)
    return isLate && now - (this.#late.get(who) ?? now) >= this.#lagPatienceMs
  }
}
