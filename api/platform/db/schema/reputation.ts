import type { Generated } from 'kysely'
import type { MaybeTime, Time } from './columns.ts'

interface Ratings {
  id: string
  order_id: string
  seller_id: string
  stars: number
  comment: string | null
  rated_at: Time
}

interface RatingReplies {
  rating_id: string
  reply: string
  replied_at: Time
}

interface Contributions {
  order_id: string
  subject_id: string
  buyer_id: string
  counterparty_id: string
  finalized_at: MaybeTime
  weight: bigint
  price_micros: bigint
  refunded_micros: bigint
  fee_micros: bigint
  stars: number | null
  loser: 'buyer' | 'seller' | null
  conceded: boolean
  ineligible_because: 'same_owner' | 'shared_wallet' | null
}

interface ReputationTotals {
  subject_id: string
  receipts: Generated<bigint>
  weighted_stars: Generated<bigint>
  rated_weight: Generated<bigint>
  lost_weight: Generated<bigint>
  completed_weight: Generated<bigint>
  volume_micros: Generated<bigint>
  fee_micros: Generated<bigint>
  conceded: Generated<bigint>
  counterparties: Generated<bigint>
  largest_micros: Generated<bigint>
  rank_weight: Generated<bigint>
  rank_stars: Generated<bigint>
}

interface ReputationPairs {
  subject_id: string
  counterparty_id: string
  receipts: Generated<bigint>
  price_micros: Generated<bigint>
  weighted_stars: Generated<bigint>
  rated_weight: Generated<bigint>
  rated_micros: Generated<bigint>
}

export interface ReputationTables {
  'market.ratings': Ratings
  'market.rating_replies': RatingReplies
  'market.contributions': Contributions
  'market.reputation_totals': ReputationTotals
  'market.reputation_pairs': ReputationPairs
}
