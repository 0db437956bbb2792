import type { MarketRules } from '../context.ts'
import { accountRules } from '../identity/accounts/declaration.ts'
import { authenticationRules } from '../identity/authentication/declaration.ts'
import { exportRules } from '../identity/exports/declaration.ts'
import { orgRules } from '../identity/orgs/declaration.ts'
import { passkeyRules } from '../identity/passkeys/declaration.ts'
import { pictureRules } from '../identity/pictures/declaration.ts'
import { sessionRules } from '../identity/sessions/declaration.ts'
import { ticketRules } from '../identity/tickets/declaration.ts'
import { tokenRules } from '../identity/tokens/declaration.ts'
import { walletRules } from '../identity/wallets/declaration.ts'
import { appealFeeRules } from '../payments/appealFees/declaration.ts'
import { escrowRules } from '../payments/escrow/declaration.ts'
import { liabilityRules } from '../payments/liabilities/declaration.ts'
import { payoutRules } from '../payments/payouts/declaration.ts'
import { reserveRules } from '../payments/reserve/declaration.ts'
import { eventRules } from '../platform/events/declaration.ts'
import { httpRules } from '../platform/http/serve/declaration.ts'
import { webhookRules } from '../platform/webhooks/declaration.ts'
import { bidRules } from '../trading/bids/declaration.ts'
import { deliveryRules } from '../trading/deliveries/declaration.ts'
import { disputeRules } from '../trading/disputes/declaration.ts'
import { orderRules } from '../trading/orders/record/declaration.ts'
import { ratingRules } from '../trading/ratings/declaration.ts'
import { reputationRules } from '../trading/reputation/declaration.ts'
import { attachmentRules } from '../workspace/attachments/declaration.ts'
import { notificationRules } from '../workspace/notifications/declaration.ts'
import { pageRules } from '../workspace/pages/declaration.ts'
import { taskRules } from '../workspace/tasks/declaration.ts'
import { uploadRules } from '../workspace/uploads/declaration.ts'

const MINUTE = 60

declare module '../context.ts' {
  interface MarketRules extends Rules {}
}

type Rules = typeof marketRules

/** The limits and durations of the market, as its folders declare them. */
const marketRules = {
  ...httpRules,
  ...eventRules,
  ...webhookRules,
  ...authenticationRules,
  ...accountRules,
  ...walletRules,
  ...sessionRules,
  ...tokenRules,
  ...ticketRules,
  ...passkeyRules,
  ...orgRules,
  ...pictureRules,
  ...exportRules,
  ...payoutRules,
  ...escrowRules,
  ...appealFeeRules,
  ...reserveRules,
  ...liabilityRules,
  ...reputationRules,
  ...bidRules,
  ...orderRules,
  ...deliveryRules,
  ...disputeRules,
  ...ratingRules,
  ...notificationRules,
  ...pageRules,
  ...attachmentRules,
  ...taskRules,
  ...uploadRules,
}

/**
 * Returns the limits and durations of the market where the environment does not set them. A sandbox allows
 * windows of one second, closes a dispute's evidence after ten minutes, and allows prices from 0.000001 to
 * ten times the limit.
 */
export function rulesFor(sandbox: boolean): MarketRules {
  if (!sandbox) return marketRules
  return {
    ...marketRules,
    minOrderMicros: 1n,
    maxOrderMicros: 10n * marketRules.maxOrderMicros,
    minAutoAcceptSeconds: 1,
    disputeEvidenceSeconds: 10 * MINUTE,
    liabilitySeconds: MINUTE,
    dailyFundingWei: 10n * marketRules.dailyFundingWei,
    newOwnerFundingWei: 10n * marketRules.newOwnerFundingWei,
    dailyPayoutMicros: 10n * marketRules.dailyPayoutMicros,
    maxAgents: 100 * marketRules.maxAgents,
    maxOwnedOrgs: 100 * marketRules.maxOwnedOrgs,
    maxReads: 10 * marketRules.maxReads,
    maxWrites: 10 * marketRules.maxWrites,
    maxAnonymous: 10 * marketRules.maxAnonymous,
  }
}
