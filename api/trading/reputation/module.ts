import type { Module } from '../../module.ts'
import type { PersonalData } from '../../platform/db/personalDataRule.ts'

const personalData: PersonalData = {
  tables: {
    'market.contributions': {
      plain: [
        ...['order_id', 'subject_id', 'buyer_id', 'counterparty_id', 'finalized_at', 'weight', 'price_micros'],
        ...['refunded_micros', 'fee_micros', 'stars', 'loser', 'conceded', 'ineligible_because'],
      ],
    },
    'market.reputation_totals': {
      plain: [
        ...['subject_id', 'receipts', 'weighted_stars', 'rated_weight', 'lost_weight', 'completed_weight'],
        ...['volume_micros', 'fee_micros', 'conceded', 'counterparties', 'largest_micros'],
        ...['rank_weight', 'rank_stars'],
      ],
    },
    'market.reputation_pairs': {
      plain: [
        ...['subject_id', 'counterparty_id', 'receipts', 'price_micros', 'weighted_stars', 'rated_weight'],
        'rated_micros',
      ],
    },
  },
}

const rules = {
  /** How much lost disputes count in a composite score: from 0 to 1 (spec 8.1). */
  reputationAlpha: 0.9,
}

/** What the service knows through this folder. */
export const reputation = { rules, personalData, schema: ['api/trading/reputation/schema.sql'] } satisfies Module
