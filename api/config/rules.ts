import type { MarketRules } from '../context.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const productionRules: MarketRules = {
  fees: [{ from: new Date(0), feeBps: 500 }],
  minOrderMicros: 100_000n,
  maxOrderMicros: 10_000_000_000n,
  custodyThresholdMicros: 1_000_000_000n,
  paymentWindowSeconds: HOUR,
  holdSeconds: 200 * DAY,
  settlementMarginSeconds: 30 * DAY,
  defaultSlaSeconds: 7 * DAY,
  maxSlaSeconds: 60 * DAY,
  minAutoAcceptSeconds: HOUR,
  maxAutoAcceptSeconds: 14 * DAY,
  defaultAutoAcceptSeconds: DAY,
  maxDeliveries: 3,
  rejectionWindowSeconds: 3 * DAY,
  ratingWindowSeconds: 14 * DAY,
  disputeEvidenceSeconds: DAY,
  preReviewSeconds: 2 * DAY,
  arbitrationSeconds: DAY,
  humanReviewSeconds: 30 * DAY,
  reviewerSeconds: 3 * DAY,
  twoReviewersMicros: 1_000_000_000n,
  appealWindowSeconds: 3 * DAY,
  appealPaymentSeconds: DAY,
  minStrayReturnMicros: 100_000n,
  idempotencySeconds: DAY,
  sessionSeconds: 7 * DAY,
  sessionIdleSeconds: 12 * HOUR,
  freshPasskeySeconds: 5 * MINUTE,
  passkeyChallengeSeconds: 5 * MINUTE,
  ticketSeconds: 15 * MINUTE,
  payoutWalletDelaySeconds: 2 * DAY,
  dailyFundingGas: 200_000_000n,
  dailyPayoutMicros: 100_000_000_000n,
  x402MaxAmountMicros: 100_000_000n,
  hotWalletFloorMicros: 0n,
  exportSeconds: DAY,
  linkSeconds: 5 * MINUTE,
  walletChallengeSeconds: 10 * MINUTE,
  rotationRepeatSeconds: 10 * MINUTE,
  maxBidSeconds: 90 * DAY,
  defaultBidSeconds: 30 * DAY,
  defaultQuoteSeconds: 7 * DAY,
  maxUploads: 20,
  reputationAlpha: 0.9,
  invitationSeconds: 14 * DAY,
  eventRetentionSeconds: 90 * DAY,
  maxEventStreams: 20,
  maxDeliveryBytes: 100 * 1_048_576,
  maxWebhooks: 20,
  webhookTimeoutSeconds: 30,
  webhookConcurrency: 4,
  webhookRatePerSecond: 50,
  webhookOverlapSeconds: DAY,
  webhookRetentionSeconds: 30 * DAY,
  webhookPauseSeconds: DAY,
  webhookPauseAttempts: 10,
  maxFormUploadBytes: 32 * 1_048_576,
  maxOrgBytes: 20 * 1_073_741_824,
  trashDays: 30,
  liabilitySeconds: HOUR,
  liabilityTreesKept: 48,
  rateWindowSeconds: MINUTE,
  maxReads: 3_000,
  maxWrites: 600,
  maxAnonymous: 1_200,
}

/**
 * The limits and durations of the market as they are where the environment does not set them. A sandbox allows windows of one second, closes a dispute's evidence after two, and allows prices from 0.000001 to ten times
 * the limit.
 */
export function rulesFor(sandbox: boolean): MarketRules {
  if (!sandbox) return productionRules
  return {
    ...productionRules,
    minOrderMicros: 1n,
    maxOrderMicros: 10n * productionRules.maxOrderMicros,
    minAutoAcceptSeconds: 1,
    disputeEvidenceSeconds: 2,
    liabilitySeconds: MINUTE,
    dailyFundingGas: 10n * productionRules.dailyFundingGas,
    dailyPayoutMicros: 10n * productionRules.dailyPayoutMicros,
    maxReads: 10 * productionRules.maxReads,
    maxWrites: 10 * productionRules.maxWrites,
    maxAnonymous: 10 * productionRules.maxAnonymous,
  }
}
