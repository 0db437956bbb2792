import { acceptUndecided, announceBreaches, refundExpiredHolds } from './deadlines.ts'
import { expireUnpaid } from './expire.ts'
import { buildExports, forgetExports } from './exports.ts'
import { forgetAnswers } from './forgetAnswers.ts'
import { forgetCredentials } from './forgetCredentials.ts'
import { forgetWindows } from './forgetWindows.ts'
import { watchHotWallet } from './hotWallet.ts'
import { publishLiabilities } from './liabilities.ts'
import { followOutcomes } from './outcomes.ts'
import { submitPayouts } from './payouts.ts'
import type { Progress } from './progress.ts'
import { reconcile } from './reconcile.ts'
import { removeBlobs } from './removeBlobs.ts'
import { sealAuditLog } from './seal.ts'
import type { Job } from './services.ts'
import { settle } from './settle.ts'
import { snapshotBalances } from './snapshots.ts'
import { refundStrays } from './strays.ts'
import { sweepBlobs } from './sweepBlobs.ts'

/** Everything the worker does, and how often it looks for it. What settle remembers is the worker's. */
export function allJobs(progress: Progress): Job[] {
  return [
    { name: 'settle', everyMs: 1_000, isFenced: false, run: (services) => settle(services, progress) },
    { name: 'reconcile', everyMs: 1_000, isFenced: false, run: reconcile },
    { name: 'payouts', everyMs: 500, isFenced: true, run: submitPayouts },
    { name: 'hot_wallet', everyMs: 5_000, isFenced: true, run: (services) => watchHotWallet(services, progress) },
    { name: 'accept', everyMs: 500, isFenced: true, run: acceptUndecided },
    { name: 'expire', everyMs: 1_000, isFenced: true, run: expireUnpaid },
    { name: 'holds', everyMs: 1_000, isFenced: true, run: refundExpiredHolds },
    { name: 'outcomes', everyMs: 1_000, isFenced: true, run: followOutcomes },
    { name: 'strays', everyMs: 1_000, isFenced: true, run: refundStrays },
    { name: 'breaches', everyMs: 500, isFenced: false, run: announceBreaches },
    { name: 'answers', everyMs: 60_000, isFenced: false, run: forgetAnswers },
    { name: 'exports', everyMs: 1_000, isFenced: false, run: buildExports },
    { name: 'expired_exports', everyMs: 60_000, isFenced: false, run: forgetExports },
    { name: 'blob_removals', everyMs: 1_000, isFenced: false, run: removeBlobs },
    { name: 'blobs', everyMs: 3_600_000, isFenced: false, run: sweepBlobs },
    { name: 'windows', everyMs: 60_000, isFenced: false, run: forgetWindows },
    { name: 'credentials', everyMs: 60_000, isFenced: false, run: forgetCredentials },
    { name: 'liabilities', everyMs: 5_000, isFenced: false, run: publishLiabilities },
    { name: 'seal', everyMs: 1_000, isFenced: false, run: sealAuditLog },
    { name: 'snapshots', everyMs: 60_000, isFenced: false, run: snapshotBalances },
  ]
}

/**
 * How many connections the worker must be able to open. Each running job holds one for its lock and one for its work: with
 * fewer, all of them at once would wait for each other's.
 */
export function connectionsOf(jobs: readonly Job[]): number {
  return 2 * jobs.length
}
