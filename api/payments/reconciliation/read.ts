import { sql } from 'kysely'
import type { Settings } from '../../context.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { type ProcessedBlock, processedBlock, readDatabaseEpoch } from '../chain/progress.ts'
import { accountsAfter, type ComparedAccount } from './accounts.ts'
import { type ComparedFee, feesAmong } from './appealFees.ts'
import { type ComparedHold, holdsAmong } from './holds.ts'
import { type Booked, bookedAt } from './ledgerTotals.ts'
import { type ComparedDeposit, depositsAmong } from './payouts.ts'
import { type Comparison, lastComparison } from './record.ts'
import { type ComparedTransfer, transfersAfter } from './transferDigests.ts'

/** How often the walk over accounts and transfers begins again after their last, and a block is compared again. */
const SWEEP_SECONDS = 60
/** As long as comparisons are kept: one that is older could be any that was removed. */
const GOES_ON_HOURS = 3

/** The database's figures as of the block it has processed, in one snapshot. */
export interface Books extends Booked {
  block: ProcessedBlock
  checkedAt: Date
  /** Whether the newest comparison on file is none of ours. Nothing of it is used. */
  isForged: boolean
  database_epoch: string
  system_identifier: bigint
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
 * Reads what is to be compared with the chain. Returns undefined if nothing is new: the block is the one of the last
 * comparison, or the chain is not known. The transaction must be a snapshot.
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
  const server = await readSystemIdentifier(tx)
  const since = mayGoOn(newest, { server, isSwept }) ? newest : undefined
  const booked = await bookedAt(tx, chain, block.number, since)
  const also = last?.findings.flatMap(({ account }) => (account === undefined ? [] : [BigInt(account)])) ?? []
  const after = last?.account_cursor ?? 0n
  const { accounts, cursor } = await accountsAfter(tx, chain, { block: block.number, after, also })
  const ids = accounts.flatMap(({ id, kind }) => (kind === 'hold' || kind === 'suspense' ? [id] : []))
  const { transfers, cursor: transferCursor } = await transfersAfter(tx, {
    after: nextTransfer(last, isSwept),
    since: (last ?? since)?.horizon,
    also: last?.findings.flatMap(({ transfer }) => (transfer === undefined ? [] : [BigInt(transfer)])) ?? [],
  })
  return {
    ...{
      ...booked,
      block,
      checkedAt: now,
      isForged,
      database_epoch: databaseEpoch,
      system_identifier: server,
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

/** Returns whether a time on file lies in the seconds before now: one that is yet to come says nothing. */
function isWithin(now: Date, time: Date, seconds: number): boolean {
  const ageMs = now.getTime() - time.getTime()
  return ageMs >= 0 && ageMs < seconds * 1_000
}

/** Returns where the walk over transfers goes on. After the last one it begins again at the first, in the next minute. */
function nextTransfer(last: Comparison | undefined, isSwept: boolean): bigint | null {
  const cursor = last?.transfer_cursor ?? 0n
  return isSwept && cursor === 0n ? null : cursor
}

/**
 * Sums go on where the last comparison on this server left off, whatever was restarted or restored since. While something
 * differs, everything is summed again each minute.
 */
function mayGoOn(newest: Comparison | undefined, { server, isSwept }: { server: bigint; isSwept: boolean }): boolean {
  return newest?.system_identifier === server && (newest.is_ok || isSwept)
}

/** Returns the identifier of the server, whose transaction ids are another's on no other. A copy of its files has the same. */
async function readSystemIdentifier(tx: Tx): Promise<bigint> {
  const { rows } = await sql<{ id: bigint }>`select system_identifier as id from pg_control_system()`.execute(tx)
  const [row] = rows
  if (!row) throw new Error('the server has no identifier')
  return row.id
}

async function readTime(tx: Tx): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(tx)
  return rows[0]?.now ?? new Date(0)
}
