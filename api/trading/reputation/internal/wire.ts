import { formatAmount } from '../../../../protocol/encoding/amounts.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import { composite } from '../../../../protocol/records/reputation.ts'
import type { MarketRules } from '../../../context.ts'
import type { Account } from '../../../platform/http/route/schemas.ts'
import type { RecordBody, SupportingBody } from '../routes.ts'
import type { SellerBody } from '../schemas.ts'
import { WEIGHTING_FUNCTION } from '../weighting.ts'
import type { readReputation, Standing } from './read.ts'

/** Returns the record of an account in its wire form. */
export function toRecord(
  { kind, id }: Account,
  record: Awaited<ReturnType<typeof readReputation>>,
  rules: MarketRules,
): RecordBody {
  return {
    urn: urnString(kind, id),
    ...toSupporting(record),
    composite_score: toNumber(record.compositeMicros),
    alpha: rules.reputationAlpha,
    weighting_function: WEIGHTING_FUNCTION,
    distinct_counterparties: Number(record.counterparties),
    largest_counterparty_share: toNumber(record.largestShareMicros),
    fees_paid: formatAmount(record.feeMicros),
    conceded_count: Number(record.conceded),
    disputes_lost_as_buyer: Number(record.lostAsBuyer),
    hostile_text_count: Number(record.hostileTexts),
    as_of: record.asOf.toISOString(),
  }
}

/** Returns a seller's ratios in their wire form. */
export function toSupporting({ receipts, averageMicros, lossRateMicros, volumeMicros }: Standing): SupportingBody {
  return {
    unweighted_count: Number(receipts),
    weighted_rating_avg: toNumber(averageMicros),
    weighted_dispute_loss_rate: toNumber(lossRateMicros),
    weighted_volume_usdc: formatAmount(volumeMicros),
  }
}

/** Returns the name of a seller and the main figures of its record in their wire form. */
export function toSeller(display_name: string, standing: Standing, alphaBps: bigint): SellerBody {
  const { unweighted_count, weighted_rating_avg, weighted_dispute_loss_rate } = toSupporting(standing)
  const composite_score = toNumber(composite(standing.averageMicros, standing.lossRateMicros, alphaBps))
  return { display_name, unweighted_count, composite_score, weighted_rating_avg, weighted_dispute_loss_rate }
}

// Every number of six digits up to five is printed exactly.
function toNumber(micros: bigint): number {
  return Number(formatAmount(micros))
}
