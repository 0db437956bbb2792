import type { PersonalData } from '../../platform/db/personalDataRule.ts'

export const reputationPersonalData: PersonalData = {
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

export const reputationRules = {
  /** How much lost disputes count in a composite score: from 0 to 1 (spec 8.1). */
  reputationAlpha: 0.9,
}
