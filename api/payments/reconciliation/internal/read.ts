import { sql } from 'kysely'
import type { Settings } from '../../../context.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { type ProcessedBlock, processedBlock, readDatabaseEpoch } from '../../chain/progress.ts'
import { accountsAfter, type ComparedAccount } from './accounts.ts'
import { type ComparedFee, feesAmong } from './appealFees.ts'
import { type ComparedHold, holdsAmong } from './holds.ts'
import { type Booked, bookedAt } from './ledgerTotals.ts'
import { type ComparedDeposit, depositsAmong } from './payouts.ts'
import { type Comparison, lastComparison } from './record.ts'
import { type ComparedTransfer, transfersAfter } from './transferDigests.ts'

/** How often the walk over accounts and transfers starts over, and a block is compared again. */
const SWEEP_SECONDS = 60
/**
 * How long comparisons are kept. An older one is not trusted: it may be a removed comparison that was put
 * back.
 */
const GOES_ON_HOURS = 3

/** The database's figures as of the block it has processed, in one snapshot. */
export interface Books extends Booked {
  block: ProcessedBlock
  checkedAt: Date
  /** Whether the newest comparison on file was not recorded by the service. It is not used then. */
  isForged: boolean
  database_epoch: string
  last: Comparison | undefined
  accounts: ComparedAccount[]
  accountCursor: bigint
  holds: ComparedHold[]
  fees: ComparedFee[]
  deposits: ComparedDeposit[]
  transfers: ComparedTransfer[]
  transferCursor: bigint
  sweptAt: Date
}

/**
 * Reads the figures to compare with the chain. Returns undefined if nothing is new: the block is the one of
 * the last comparison, or the chain is not known. The transaction must be a snapshot.
 */
export async function readBooks(tx: Tx, settings: Pick<Settings, 'chain' | 'secretKey'>): Promise<Books | undefined> {
  const { chain } = settings
  const block = await processedBlock(tx)
  if (!block) return undefined
  const [databaseEpoch, now, onFile] = [
    await readDatabaseEpoch(tx),
    await readTime(tx),
    await lastComparison(tx, settings),
  ]
  const isForged = onFile === 'forged'
  const newest = onFile && !isForged && isWithin(now, onFile.checked_at, GOES_ON_HOURS * 3_600) ? onFile : undefined
  const last = newest?.database_epoch === databaseEpoch ? newest : undefined
  const isSwept = last !== undefined && isWithin(now, last.swept_at, SWEEP_SECONDS)
  if (isSwept && last.block_hash === block.hash) return undefined
  const since = goOnFrom(newest, isSwept)
  const booked = await bookedAt(tx, chain, block.number, since)
  const also = last?.findings.flatMap(({ account }) => (account === undefined ? [] : [BigInt(account)])) ?? []
  const after = last?.account_cursor ?? 0n
  const { accounts, cursor } = await accountsAfter(tx, chain, { block: block.number, after, also })
  const ids = accounts.flatMap(({ id, kind }) => (kind === 'hold' || kind === 'suspense' ? [id] : []))
  const { transfers, cursor: transferCursor } = await transfersAfter(tx, {
    after: nextTransfer(last, isSwept),
    since: (last ?? since)?.log_place,
    also: last?.findings.flatMap(({ transfer }) => (transfer === undefined ? [] : [BigInt(transfer)])) ?? [],
  })
  return {
    ...{
      ...booked,
      block,
      checkedAt: now,
      isForged,
      database_epoch: databaseEpoch,
      last,
      sweptAt: isSwept ? last.swept_at : now,
    },
    ...{
      accounts,
      accountCursor: cursor ?? 0n,
      holds: await holdsAmong(tx, ids),
      fees: await feesAmong(tx, ids),
      deposits: await depositsAmong(tx, chain, ids),
    },
    ...{ transfers, transferCursor: transferCursor ?? 0n },
  }
}

/** Returns whether a time on file lies within the last seconds; a time in the future does not count. */
function isWithin(now: Date, time: Date, seconds: number): boolean {
  const ageMs = now.getTime() - time.getTime()
  return ageMs >= 0 && ageMs < seconds * 1_000
}

/**
 * Returns the position at which the walk over transfers continues. After the last transfer it starts over in
 * the next minute.
 */
function nextTransfer(last: Comparison | undefined, isSwept: boolean): bigint | null {
  const cursor = last?.transfer_cursor ?? 0n
  return isSwept && cursor === 0n ? null : cursor
}

/**
 * Returns the comparison whose sums are continued. While there is a difference, everything is summed again
 * each minute.
 */
function goOnFrom(newest: Comparison | undefined, isSwept: boolean): Comparison | undefined {
  return newest?.is_ok || isSwept ? newest : undefined
}

async function readTime(tx: Tx): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(tx)
  return rows[0]?.now ?? new Date(0)
}
