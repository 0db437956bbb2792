import { inTransaction } from '../../platform/db/transaction.ts'
import type { JobServices } from '../../platform/jobs/services.ts'
import {
  beginRound,
  dueSnapshots,
  readSnapshotProgress,
  recordSnapshots,
  removeSnapshots,
  type SnapshotPlan,
  takeTurn,
  wrongSnapshots,
} from './internal/snapshots.ts'

const PLAN: SnapshotPlan = { spacing: 500, settledSeconds: 600 }
const TRANSFERS_AT_ONCE = 20_000n

/**
 * Writes balance snapshots, one per some hundred entries of an account, so that a balance at any time is fast
 * to compute. A snapshot must cover only committed entries: a round fixes an instant, and ends once every
 * transaction that was writing entries then is over. A snapshot that contradicts the entries is deleted with
 * an alarm and written again.
 */
export async function snapshotBalances(services: JobServices, plan = PLAN): Promise<void> {
  while (await goOn(services, plan));
}

/**
 * Runs one step. Returns whether another can run at once. Long reads run in a read-only transaction that
 * blocks nothing.
 */
async function goOn({ db, log }: JobServices, plan: SnapshotPlan): Promise<boolean> {
  // Before the snapshot: it has to see what the last writer committed.
  const progress = await readSnapshotProgress(db)
  if (progress.hasBegun && !progress.isOver) return false
  const step = progress.hasBegun
    ? await inTransaction(db, 'read only', async (tx) => {
        const span = { scanned: progress.scanned, end: least(progress.newest, progress.scanned + TRANSFERS_AT_ONCE) }
        const compared = await wrongSnapshots(tx, span)
        const due = compared.wrong.length > 0 ? [] : await dueSnapshots(tx, plan, span)
        return { ...span, ...compared, due }
      })
    : undefined
  const isWritten = await inTransaction(db, 'read write', async (tx) => {
    const { wrong = [], due = [], last, end = progress.scanned } = step ?? {}
    const scanned = wrong.length === 0 ? end : progress.scanned
    if (!(await takeTurn(tx, progress, { scanned, last }))) return false
    await removeSnapshots(tx, wrong)
    await recordSnapshots(tx, due)
    if (wrong.length === 0 && (!step || step.end === progress.newest)) await beginRound(tx, plan)
    return true
  })
  for (const { accountId, through, balance, entriesMicros } of isWritten ? (step?.wrong ?? []) : []) {
    const of = { account: `${accountId}`, through, noted: `${balance}`, entries: `${entriesMicros}` }
    log.error({ alarm: true, ...of }, 'a stored balance is not the sum of its entries and was removed')
  }
  return isWritten && step !== undefined && (step.wrong.length > 0 || step.end < progress.newest)
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other
}
