import type { MarketRules } from '../context.ts'
import { marketRules } from '../modules.ts'

const MINUTE = 60

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
