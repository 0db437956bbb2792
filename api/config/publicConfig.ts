import type { z } from 'zod'
import { formatAmount } from '../../protocol/amounts.ts'
import { type FeeRate, type FeeSchedule, feeAt, type SignedFeeSchedule } from '../../protocol/fees.ts'
import { publicKeyJwk, signDocument } from '../../protocol/signing.ts'
import { tokenDomain } from '../chain/tokenDomain.ts'
import type { MarketRules, Settings } from '../context.ts'
import { readClock } from '../db/clock.ts'
import type { Db } from '../db/pool.ts'
import type { Services } from '../http/serve.ts'
import { CURRENT_VERSION, MARKET_VERSIONS } from '../versions/versions.ts'
import type { getPublicConfig } from './routes.ts'

type PublicConfig = z.input<(typeof getPublicConfig)['answers'][200]['schema']>

/** The public keys signatures of ours are verified with. */
export async function keySet(settings: Settings) {
  return { keys: [await publicKeyJwk(settings.signingKey)] }
}

/** What a client needs to trade and an auditor to check, without a token. The token's EIP-712 domain is the token's own answer. */
export async function publicConfig({
  settings,
  rpc,
  db,
}: Pick<Services, 'settings' | 'rpc' | 'db'>): Promise<PublicConfig> {
  const { chain, reserve } = settings
  return {
    sandbox: settings.sandbox,
    network: `eip155:${chain.chainId}`,
    chain_id: chain.chainId,
    escrow_contract: chain.escrow,
    token: { address: chain.token, decimals: 6, eip712_domain: await tokenDomain(rpc, chain) },
    hot_wallet: chain.hotWallet,
    cold_wallet: reserve?.coldWallet ?? null,
    hot_wallet_ceiling: reserve ? formatAmount(reserve.ceilingMicros) : null,
    fee_recipient: chain.feeRecipient,
    start_block: Number(chain.startBlock),
    confirmations: chain.confirmations,
    rules: wireRules(settings.rules, await currentFee(db, settings.rules.fees)),
    fees: await feeList(settings),
    rate_limits: wireLimits(settings.rules),
    reputation: { weighting_function: 'log(1 + cost_usdc)', alpha: 0.9 },
    versions: { current: CURRENT_VERSION, supported: [...MARKET_VERSIONS] },
    keys: await keySet(settings),
  }
}

const feeLists = new WeakMap<Settings, Promise<SignedFeeSchedule>>()

/** The signed list of fees. It is the same as long as the settings are. */
function feeList(settings: Settings): Promise<SignedFeeSchedule> {
  const signed = feeLists.get(settings) ?? signFees(settings)
  feeLists.set(settings, signed)
  return signed
}

async function signFees({ chain, rules, signingKey }: Settings): Promise<SignedFeeSchedule> {
  const document: FeeSchedule = {
    type: 'market:fees',
    network: `eip155:${chain.chainId}`,
    hot_wallet: chain.hotWallet,
    payment_window_seconds: rules.paymentWindowSeconds,
    rates: rules.fees.map(({ from, feeBps }) => ({ from: from.toISOString(), fee_bps: feeBps })),
  }
  const { keyId, signature } = await signDocument(document, signingKey)
  return { document, key_id: keyId, signature }
}

async function currentFee(db: Db, rates: readonly FeeRate[]): Promise<number> {
  const [only, ...others] = rates
  // Nobody needs the time where the fee never changed.
  return only && others.length === 0 ? only.feeBps : feeAt(rates, await readClock(db))
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
    min_stray_return_amount: formatAmount(rules.minStrayReturnMicros),
    idempotency_seconds: rules.idempotencySeconds,
    session_seconds: rules.sessionSeconds,
    session_idle_seconds: rules.sessionIdleSeconds,
    fresh_passkey_seconds: rules.freshPasskeySeconds,
    passkey_challenge_seconds: rules.passkeyChallengeSeconds,
    ticket_seconds: rules.ticketSeconds,
    payout_wallet_delay_seconds: rules.payoutWalletDelaySeconds,
    daily_funding_gas: Number(rules.dailyFundingGas),
    daily_payout_amount: formatAmount(rules.dailyPayoutMicros),
    hot_wallet_floor: formatAmount(rules.hotWalletFloorMicros),
    export_seconds: rules.exportSeconds,
    link_seconds: rules.linkSeconds,
    invitation_seconds: rules.invitationSeconds,
    max_delivery_bytes: rules.maxDeliveryBytes,
    liability_seconds: rules.liabilitySeconds,
    liability_trees_kept: rules.liabilityTreesKept,
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
