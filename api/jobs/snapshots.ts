import { inTransaction } from '../db/transaction.ts'
import {
  beginRound,
  dueSnapshots,
  forgetSnapshots,
  keepSnapshots,
  readSnapshotProgress,
  type SnapshotPlan,
  takeTurn,
  wrongSnapshots,
} from '../ledger/snapshots.ts'
import type { JobServices } from './services.ts'

const PLAN: SnapshotPlan = { spacing: 500, settledSeconds: 600 }
const TRANSFERS_AT_ONCE = 20_000n

/**
 * Notes what stood on accounts, every some hundred entries of each, so that a balance at any time is soon added up. A
 * snapshot is of what is there for good: a round names an instant, and ends once every transaction is over that was
 * running then. Where entries say something else than a snapshot, it is forgotten and taken again, and that is said.
 */
export async function snapshotBalances(services: JobServices, plan = PLAN): Promise<void> {
  while (await goOn(services, plan));
}

/** One step, and whether there is another to be made at once. What takes long is read without holding anything up. */
async function goOn({ db, log }: JobServices, plan: SnapshotPlan): Promise<boolean> {
  const found = await inTransaction(db, 'read only', async (tx) => {
    const progress = await readSnapshotProgress(tx)
    if (progress.isForeign || !progress.isOver) return { progress }
    const span = { scanned: progress.scanned, end: least(progress.newest, progress.scanned + TRANSFERS_AT_ONCE) }
    const compared = await wrongSnapshots(tx, span)
    const due = compared.wrong.length > 0 ? [] : await dueSnapshots(tx, plan, span)
    return { progress, step: { ...span, ...compared, due } }
  })
  const { progress, step } = found
  if (!step && !progress.isForeign) return false
  const isWritten = await inTransaction(db, 'read write', async (tx) => {
    const { wrong = [], due = [], last, end = progress.scanned } = step ?? {}
    const scanned = wrong.length === 0 ? end : progress.scanned
    if (!(await takeTurn(tx, progress, { scanned, last }))) return false
    await forgetSnapshots(tx, wrong)
    await keepSnapshots(tx, due)
    if (wrong.length === 0 && (!step || step.end === progress.newest)) await beginRound(tx, plan)
    return true
  })
  for (const { accountId, through, balance, entriesMicros } of isWritten ? (step?.wrong ?? []) : []) {
    const of = { account: `${accountId}`, through, noted: `${balance}`, entries: `${entriesMicros}` }
    log.error({ alarm: true, ...of }, 'a balance that was noted is not the sum of its entries, and is forgotten')
  }
  return isWritten && step !== undefined && (step.wrong.length > 0 || step.end < progress.newest)
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other
}
