import type { z } from 'zod'
import { formatAmount } from '../../protocol/encoding/amounts.ts'
import { signDocument } from '../../protocol/keys/signing.ts'
import { type FeeRate, type FeeSchedule, feeAt, type SignedFeeSchedule } from '../../protocol/payments/fees.ts'
import type { MarketRules, Settings } from '../context.ts'
import { tokenDomain } from '../payments/chain/nodes.ts'
import { readClock } from '../platform/db/clock.ts'
import type { Db } from '../platform/db/pool.ts'
import { CURRENT_VERSION, MARKET_VERSIONS } from '../platform/http/route/versions.ts'
import type { Services } from '../platform/http/serve/services.ts'
import { currentSeed, ensureSigningKeys, publishedKeys } from '../platform/signing/keys.ts'
import { marketWebhooks } from '../platform/webhooks/family.ts'
import { WEIGHTING_FUNCTION } from '../trading/reputation/weighting.ts'
import { offeredChannels, pushKeys } from '../workspace/notifications/channels.ts'
import type { getPublicConfig } from './routes.ts'

type PublicConfig = z.input<(typeof getPublicConfig)['answers'][200]['schema']>

/** The public keys that verify our signatures, both in use and retired. */
export async function keySet(db: Db, settings: Pick<Settings, 'signingKey'>) {
  await ensureSigningKeys(db, settings)
  return { keys: await publishedKeys(db, settings) }
}

/**
 * Returns the settings that a client needs to trade and an auditor needs to check, without a token. The
 * token's EIP-712 domain is read from the token contract.
 */
export async function publicConfig({
  settings,
  rpc,
  db,
}: Pick<Services, 'settings' | 'rpc' | 'db'>): Promise<PublicConfig> {
  const { chain, reserve } = settings
  return {
    sandbox: settings.sandbox,
    base_url: settings.baseUrl,
    network: `eip155:${chain.chainId}`,
    chain_id: chain.chainId,
    wallet_rpc_url: settings.walletRpcUrl ?? null,
    escrow_contract: chain.escrow,
    token: { address: chain.token, decimals: 6, eip712_domain: await tokenDomain(rpc, chain) },
    hot_wallet: chain.hotWallet,
    cold_wallet: reserve?.coldWallet ?? null,
    cold_wallet_proof: reserve?.proof ?? null,
    hot_wallet_ceiling: reserve ? formatAmount(reserve.ceilingMicros) : null,
    fee_recipient: chain.feeRecipient,
    start_block: Number(chain.startBlock),
    confirmations: chain.confirmations,
    explorer_url: settings.explorerUrl ?? null,
    ...publishedRules(settings.rules, await currentFee(db, settings.rules.fees)),
    fees: await feeList(db, settings),
    webhooks: {
      attempts: marketWebhooks.maxAttempts,
      retry_seconds: [...marketWebhooks.retrySeconds],
      local_targets: settings.webhooks.allowsLocal,
    },
    notifications: { channels: offeredChannels(settings), push_public_key: pushKeys(settings).publicKey },
    versions: { current: CURRENT_VERSION, supported: [...MARKET_VERSIONS] },
    keys: await keySet(db, settings),
  }
}

const feeLists = new WeakMap<Settings, SignedFeeSchedule>()

/** The signed list of fees. It is the same as long as the settings and the key are. */
async function feeList(db: Db, settings: Settings): Promise<SignedFeeSchedule> {
  const { kid, seed } = await currentSeed(db, settings, 'fees')
  const signed = feeLists.get(settings)
  if (signed?.key_id === kid) return signed
  const fresh = await signFees(settings, seed)
  feeLists.set(settings, fresh)
  return fresh
}

async function signFees({ chain, rules }: Pick<Settings, 'chain' | 'rules'>, seed: string): Promise<SignedFeeSchedule> {
  const document: FeeSchedule = {
    type: 'market:fees',
    network: `eip155:${chain.chainId}`,
    hot_wallet: chain.hotWallet,
    payment_window_seconds: rules.paymentWindowSeconds,
    rates: rules.fees.map(({ from, feeBps }) => ({ from: from.toISOString(), fee_bps: feeBps })),
  }
  const { keyId, signature } = await signDocument(document, seed)
  return { document, key_id: keyId, signature }
}

async function currentFee(db: Db, rates: readonly FeeRate[]): Promise<number> {
  const [only, ...others] = rates
  // A fee that never changes needs no clock.
  return only && others.length === 0 ? only.feeBps : feeAt(rates, await readClock(db))
}

/** Returns the rules of the market as they are published, with the fee in force. */
export function publishedRules(
  rules: MarketRules,
  feeBps: number,
): Pick<PublicConfig, 'rules' | 'rate_limits' | 'reputation'> {
  return {
    rules: wireRules(rules, feeBps),
    rate_limits: wireLimits(rules),
    reputation: { weighting_function: WEIGHTING_FUNCTION, alpha: rules.reputationAlpha },
  }
}

function wireRules(rules: MarketRules, feeBps: number): PublicConfig['rules'] {
  return {
    fee_bps: feeBps,
    min_order_amount: formatAmount(rules.minOrderMicros),
    max_order_amount: formatAmount(rules.maxOrderMicros),
    custody_threshold: formatAmount(rules.custodyThresholdMicros),
    payment_window_seconds: rules.paymentWindowSeconds,
    hold_seconds: rules.holdSeconds,
    settlement_margin_seconds: rules.settlementMarginSeconds,
    default_sla_seconds: rules.defaultSlaSeconds,
    max_sla_seconds: rules.maxSlaSeconds,
    min_auto_accept_seconds: rules.minAutoAcceptSeconds,
    max_auto_accept_seconds: rules.maxAutoAcceptSeconds,
    default_auto_accept_seconds: rules.defaultAutoAcceptSeconds,
    max_deliveries: rules.maxDeliveries,
    rejection_window_seconds: rules.rejectionWindowSeconds,
    rating_window_seconds: rules.ratingWindowSeconds,
    ...wireDisputeRules(rules),
    min_stray_return_amount: formatAmount(rules.minStrayReturnMicros),
    idempotency_seconds: rules.idempotencySeconds,
    session_seconds: rules.sessionSeconds,
    session_idle_seconds: rules.sessionIdleSeconds,
    fresh_passkey_seconds: rules.freshPasskeySeconds,
    passkey_challenge_seconds: rules.passkeyChallengeSeconds,
    ticket_seconds: rules.ticketSeconds,
    payout_wallet_delay_seconds: rules.payoutWalletDelaySeconds,
    daily_funding_wei: String(rules.dailyFundingWei),
    new_owner_funding_wei: String(rules.newOwnerFundingWei),
    daily_payout_amount: formatAmount(rules.dailyPayoutMicros),
    x402_max_amount: formatAmount(rules.x402MaxAmountMicros),
    hot_wallet_floor: formatAmount(rules.hotWalletFloorMicros),
    export_seconds: rules.exportSeconds,
    link_seconds: rules.linkSeconds,
    wallet_challenge_seconds: rules.walletChallengeSeconds,
    rotation_repeat_seconds: rules.rotationRepeatSeconds,
    max_bid_seconds: rules.maxBidSeconds,
    default_bid_seconds: rules.defaultBidSeconds,
    default_quote_seconds: rules.defaultQuoteSeconds,
    max_uploads: rules.maxUploads,
    invitation_seconds: rules.invitationSeconds,
    event_retention_seconds: rules.eventRetentionSeconds,
    max_agents: rules.maxAgents,
    max_owned_orgs: rules.maxOwnedOrgs,
    max_picture_bytes: rules.maxPictureBytes,
    max_hourly_mails: rules.maxHourlyMails,
    max_event_streams: rules.maxEventStreams,
    max_delivery_bytes: rules.maxDeliveryBytes,
    ...wireWebhookRules(rules),
    ...wireWorkspaceRules(rules),
    liability_seconds: rules.liabilitySeconds,
    liability_trees_kept: rules.liabilityTreesKept,
  }
}

function wireDisputeRules(rules: MarketRules) {
  return {
    dispute_evidence_seconds: rules.disputeEvidenceSeconds,
    max_evidence_files: rules.maxEvidenceFiles,
    max_evidence_bytes: rules.maxEvidenceBytes,
    pre_review_seconds: rules.preReviewSeconds,
    arbitration_seconds: rules.arbitrationSeconds,
    human_review_seconds: rules.humanReviewSeconds,
    reviewer_seconds: rules.reviewerSeconds,
    two_reviewers_above: formatAmount(rules.twoReviewersMicros),
    appeal_window_seconds: rules.appealWindowSeconds,
    appeal_payment_seconds: rules.appealPaymentSeconds,
    appeal_hearing_seconds: rules.appealHearingSeconds,
    appeal_fee_bps: rules.appealFeeBps,
    min_appeal_fee: formatAmount(rules.minAppealFeeMicros),
    max_appeal_fee: formatAmount(rules.maxAppealFeeMicros),
    max_open_appeals: rules.maxOpenAppeals,
  }
}

function wireWebhookRules(rules: MarketRules) {
  return {
    max_webhooks: rules.maxWebhooks,
    webhook_timeout_seconds: rules.webhookTimeoutSeconds,
    org_webhook_timeout_seconds: rules.orgWebhookTimeoutSeconds,
    webhook_concurrency: rules.webhookConcurrency,
    webhook_rate_per_second: rules.webhookRatePerSecond,
    webhook_overlap_seconds: rules.webhookOverlapSeconds,
    webhook_retention_seconds: rules.webhookRetentionSeconds,
    webhook_pause_seconds: rules.webhookPauseSeconds,
    webhook_pause_attempts: rules.webhookPauseAttempts,
  }
}

function wireWorkspaceRules(rules: MarketRules) {
  return {
    max_form_upload_bytes: rules.maxFormUploadBytes,
    max_upload_bytes: rules.maxUploadBytes,
    upload_seconds: rules.uploadSeconds,
    max_org_bytes: rules.maxOrgBytes,
    task_lease_seconds: rules.taskLeaseSeconds,
    page_presence_seconds: rules.pagePresenceSeconds,
    trash_days: rules.trashDays,
  }
}

function wireLimits(rules: MarketRules): PublicConfig['rate_limits'] {
  return {
    window_seconds: rules.rateWindowSeconds,
    reads: rules.maxReads,
    writes: rules.maxWrites,
    anonymous: rules.maxAnonymous,
  }
}
