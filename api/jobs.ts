import { recordWorkerBeat } from './health/recordBeat.ts'
import { eraseDue, tellOfErasures } from './identity/erasure/jobs.ts'
import { buildExports, purgeExports } from './identity/exports/jobs.ts'
import { exportSections, tableRules } from './modules.ts'
import type { Progress } from './payments/chain/progress.ts'
import { snapshotBalances } from './payments/ledger/snapshotBalances.ts'
import { nextLiabilitiesInMs, publishLiabilities } from './payments/liabilities/publish.ts'
import { sightWallets } from './payments/payouts/sightWallets.ts'
import { submitPayouts } from './payments/payouts/submitPending.ts'
import { nextComparisonInMs, reconcile } from './payments/reconciliation/reconcile.ts'
import { watchHotWallet } from './payments/reserve/watchHotWallet.ts'
import { endAuthorizations, nextEndInMs } from './payments/settlement/endAuthorizations.ts'
import { followOutcomes, nextOutcomeInMs } from './payments/settlement/outcomes.ts'
import { returnStrays } from './payments/settlement/returnStrays.ts'
import { settle } from './payments/settlement/settle.ts'
import { auditArchiver } from './platform/audit/archiveLog.ts'
import { auditCheck } from './platform/audit/check.ts'
import { sealAuditLog } from './platform/audit/seal.ts'
import { removeBlobs } from './platform/blobs/removeBlobs.ts'
import { makePartitions } from './platform/db/partitions.ts'
import type { IndexDb } from './platform/db/pool.ts'
import { placeActs } from './platform/events/placeActs.ts'
import { purgeEvents } from './platform/events/purge.ts'
import type { Job } from './platform/jobs/services.ts'
import { dropOldDeliveries } from './platform/webhooks/dropOld.ts'
import { purge } from './purge.ts'
import { checkDeliveries } from './trading/criteria/jobs.ts'
import { sweepBlobs } from './trading/deliveries/sweepBlobs.ts'
import { staffReviews } from './trading/disputes/reviews/jobs.ts'
import { askModels, nextAskInMs } from './trading/disputes/work/askModels.ts'
import {
  advanceDisputes,
  arbitrateDisputes,
  lapseUnpaidAppeals,
  nextAppealInMs,
  nextDisputeInMs,
  nextOverdueDisputeInMs,
  openOverdueDisputes,
} from './trading/disputes/work/deadlines.ts'
import { nextDisputeReminderInMs, remindParties } from './trading/disputes/work/remind.ts'
import { expireUnpaid, nextExpiryInMs } from './trading/orders/payment/expireUnpaid.ts'
import { announceDeliveries } from './trading/orders/work/announceDeliveries.ts'
import {
  acceptUndecided,
  announceBreaches,
  nextAcceptanceInMs,
  nextBreachInMs,
  nextHoldExpiryInMs,
  refundExpiredHolds,
} from './trading/orders/work/deadlines.ts'
import { nextReminderInMs, remindBuyers } from './trading/orders/work/remind.ts'
import { nextReclaimInMs, tellOfExpiredHolds } from './trading/orders/work/tellOfExpiredHolds.ts'
import { sumHours } from './trading/oversight/sumHours.ts'
import { hashFiles } from './workspace/attachments/hash.ts'
import { purgeTrash } from './workspace/attachments/purge.ts'
import { runImports } from './workspace/imports/run.ts'
import { nextConfirmationInMs, sendEmailConfirmations } from './workspace/mails/sendConfirmations.ts'
import { nextInvitationInMs, sendInvitations } from './workspace/mails/sendInvitations.ts'
import { nextSendInMs, sendNotifications } from './workspace/notifications/send.ts'
import { tellOfTrades } from './workspace/notifications/trades.ts'
import { purgePages } from './workspace/pages/purge.ts'
import { processFiles } from './workspace/processing/process.ts'
import { scanFiles } from './workspace/scanning/scan.ts'
import { endLapsedOffers, expireLeases, nextLeaseInMs } from './workspace/tasks/leases.ts'
import { expireUploads } from './workspace/uploads/expire.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
/** The interval of jobs that rows wake (wakeups.sql). It only matters if a wake-up was missed. */
const SAFETY_MS = 30_000
/**
 * The interval of the check for webhook attempts that have become due, and for leases of workers that are
 * gone.
 */
const WEBHOOK_POLL_MS = 1_000
const WEBHOOK_PAUSE_MS = 20

/** State that the jobs of a worker share, besides its services. */
export interface JobParts {
  /** Read by the jobs that follow the chain. `progress` is how far this worker knows it. */
  index: IndexDb
  progress: Progress
  settleLanes?: number | undefined
  /** Begins to send. */
  sendWebhooks: () => Promise<void>
}

/** Returns every job of the worker. */
export function allJobs({ sendWebhooks, ...chain }: JobParts): Job[] {
  const webhooks: Job = {
    name: 'webhooks',
    everyMs: SAFETY_MS,
    pauseMs: WEBHOOK_PAUSE_MS,
    isFenced: false,
    run: sendWebhooks,
    dueInMs: async () => WEBHOOK_POLL_MS,
  }
  return [...paymentJobs(chain), ...orderJobs, webhooks, ...upkeepJobs]
}

/** These jobs follow the chain, and each settled block wakes them. */
function paymentJobs({ index, progress, settleLanes }: Omit<JobParts, 'sendWebhooks'>): Job[] {
  return [
    {
      name: 'settle',
      everyMs: 10 * SECOND_MS,
      isFenced: false,
      run: (services) => settle({ ...services, index }, progress, settleLanes),
      dueInMs: async () => (progress.isBehind ? 0 : undefined),
    },
    {
      name: 'reconcile',
      everyMs: 3 * SECOND_MS,
      pauseMs: SECOND_MS,
      isFenced: false,
      run: reconcile,
      dueInMs: nextComparisonInMs,
    },
    { name: 'wallets', everyMs: SAFETY_MS, isFenced: false, run: sightWallets },
    { name: 'payouts', everyMs: SAFETY_MS, isFenced: true, run: submitPayouts },
    {
      name: 'hot_wallet',
      everyMs: 10 * SECOND_MS,
      isFenced: true,
      run: (services) => watchHotWallet(services, progress),
    },
    { name: 'outcomes', everyMs: SAFETY_MS, isFenced: true, run: followOutcomes, dueInMs: nextOutcomeInMs },
    { name: 'authorizations', everyMs: SAFETY_MS, isFenced: true, run: endAuthorizations, dueInMs: nextEndInMs },
    { name: 'strays', everyMs: SAFETY_MS, pauseMs: SECOND_MS, isFenced: true, run: returnStrays },
    {
      name: 'liabilities',
      everyMs: SAFETY_MS,
      isFenced: false,
      run: (services) => publishLiabilities({ ...services, index }),
      dueInMs: nextLiabilitiesInMs,
    },
  ]
}

const orderJobs: Job[] = [
  { name: 'sights', everyMs: SAFETY_MS, isFenced: true, run: announceDeliveries },
  { name: 'accept', everyMs: SAFETY_MS, isFenced: true, run: acceptUndecided, dueInMs: nextAcceptanceInMs },
  { name: 'expire', everyMs: SAFETY_MS, isFenced: true, run: expireUnpaid, dueInMs: nextExpiryInMs },
  { name: 'holds', everyMs: SAFETY_MS, isFenced: true, run: refundExpiredHolds, dueInMs: nextHoldExpiryInMs },
  { name: 'reclaims', everyMs: SAFETY_MS, isFenced: false, run: tellOfExpiredHolds, dueInMs: nextReclaimInMs },
  {
    name: 'rejections',
    everyMs: SAFETY_MS,
    isFenced: false,
    run: openOverdueDisputes,
    dueInMs: nextOverdueDisputeInMs,
  },
  { name: 'disputes', everyMs: SAFETY_MS, isFenced: true, run: advanceDisputes, dueInMs: nextDisputeInMs },
  { name: 'appeals', everyMs: SAFETY_MS, isFenced: true, run: lapseUnpaidAppeals, dueInMs: nextAppealInMs },
  { name: 'reviews', everyMs: MINUTE_MS, isFenced: false, run: staffReviews },
  { name: 'arbitration', everyMs: SAFETY_MS, isFenced: false, run: arbitrateDisputes },
  { name: 'model', everyMs: SAFETY_MS, isFenced: false, run: askModels, dueInMs: nextAskInMs },
  { name: 'checks', everyMs: SAFETY_MS, isFenced: false, run: checkDeliveries },
  {
    name: 'reminders',
    everyMs: SAFETY_MS,
    isFenced: false,
    run: remindBuyers,
    dueInMs: nextReminderInMs,
  },
  {
    name: 'dispute_reminders',
    everyMs: SAFETY_MS,
    isFenced: false,
    run: remindParties,
    dueInMs: nextDisputeReminderInMs,
  },
  { name: 'breaches', everyMs: SAFETY_MS, isFenced: false, run: announceBreaches, dueInMs: nextBreachInMs },
]

const upkeepJobs: Job[] = [
  { name: 'heartbeat', everyMs: 5 * SECOND_MS, isFenced: false, run: recordWorkerBeat },
  {
    name: 'exports',
    everyMs: SAFETY_MS,
    isFenced: false,
    run: (services) => buildExports(services, exportSections),
  },
  { name: 'erasure_notices', everyMs: SAFETY_MS, isFenced: false, run: tellOfErasures },
  // What is on the chain may keep somebody from being erased.
  { name: 'erasures', everyMs: MINUTE_MS, isFenced: true, run: (services) => eraseDue(services, tableRules) },
  { name: 'expired_exports', everyMs: MINUTE_MS, isFenced: false, run: purgeExports },
  { name: 'blob_removals', everyMs: SAFETY_MS, isFenced: false, run: removeBlobs },
  { name: 'blobs', everyMs: HOUR_MS, isFenced: false, run: sweepBlobs },
  { name: 'processing', everyMs: SAFETY_MS, isFenced: false, run: processFiles },
  { name: 'imports', everyMs: SAFETY_MS, isFenced: false, run: runImports },
  { name: 'task_leases', everyMs: SAFETY_MS, isFenced: false, run: expireLeases, dueInMs: nextLeaseInMs },
  { name: 'task_offers', everyMs: MINUTE_MS, isFenced: false, run: endLapsedOffers },
  { name: 'page_trash', everyMs: MINUTE_MS, isFenced: false, run: purgePages },
  { name: 'trash', everyMs: MINUTE_MS, isFenced: false, run: purgeTrash },
  { name: 'uploads', everyMs: MINUTE_MS, isFenced: false, run: expireUploads },
  { name: 'partitions', everyMs: HOUR_MS, isFenced: false, run: makePartitions },
  { name: 'webhook_months', everyMs: HOUR_MS, isFenced: false, run: dropOldDeliveries },
  { name: 'events', everyMs: HOUR_MS, isFenced: false, run: purgeEvents },
  { name: 'hashes', everyMs: SAFETY_MS, isFenced: false, run: hashFiles },
  { name: 'scans', everyMs: SAFETY_MS, isFenced: false, run: scanFiles },
  // Events wake no job: nearly every transaction writes some.
  { name: 'trade_notices', everyMs: 5 * SECOND_MS, isFenced: false, run: tellOfTrades },
  {
    name: 'notification_sends',
    everyMs: SAFETY_MS,
    isFenced: false,
    run: sendNotifications,
    dueInMs: nextSendInMs,
  },
  {
    name: 'email_confirmations',
    everyMs: SAFETY_MS,
    isFenced: false,
    run: sendEmailConfirmations,
    dueInMs: nextConfirmationInMs,
  },
  {
    name: 'email_invitations',
    everyMs: SAFETY_MS,
    isFenced: false,
    run: sendInvitations,
    dueInMs: nextInvitationInMs,
  },
  { name: 'purge', everyMs: MINUTE_MS, isFenced: false, run: purge },
  // No row wakes it: nearly every transaction writes an audit entry, and Postgres serialises the commits of
  // transactions that notify.
  { name: 'seal', everyMs: 2 * SECOND_MS, isFenced: false, run: sealAuditLog },
  // Readers of the event log do the same before they read. Events must not pile up when nobody reads them.
  { name: 'places', everyMs: 10 * SECOND_MS, isFenced: false, run: ({ db }) => placeActs(db, { waits: false }) },
  { name: 'audit_check', everyMs: MINUTE_MS, isFenced: false, run: auditCheck() },
  { name: 'audit_archive', everyMs: HOUR_MS, isFenced: false, run: auditArchiver() },
  { name: 'snapshots', everyMs: MINUTE_MS, isFenced: false, run: snapshotBalances },
  { name: 'totals', everyMs: 10 * MINUTE_MS, isFenced: false, run: sumHours },
]
