import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { Json, MaybeTime, Time } from './columns.ts'

/** Criteria as a verb stored them: `api/trading/criteria/schema.ts`. */
type Criteria = ColumnType<object[], string | undefined, string>

interface Asks {
  id: string
  seller_id: string
  version: Generated<number>
  title: string
  description: string
  price_micros: bigint
  sla_seconds: number
  auto_accept_seconds: number
  criteria: Criteria
  criteria_complete: Generated<boolean>
  active: Generated<boolean>
  created_at: Time
  updated_at: Time
  number: GeneratedAlways<bigint>
  search: GeneratedAlways<string | null>
}

interface AskVersions {
  ask_id: string
  version: number
  title: string
  description: string
  price_micros: bigint
  sla_seconds: number
  auto_accept_seconds: number
  criteria: Criteria
  criteria_complete: Generated<boolean>
  created_at: Time
}

interface Bids {
  id: string
  bidder_id: string
  state: Generated<'open' | 'closed'>
  title: string
  description: string
  max_price_micros: bigint
  sla_seconds: number
  criteria: Criteria
  criteria_complete: Generated<boolean>
  expires_at: Date
  created_at: Time
  closed_at: MaybeTime
}

interface Quotes {
  id: string
  bid_id: string
  bidder_id: string
  seller_id: string
  state: Generated<'open' | 'withdrawn' | 'replaced' | 'ordered'>
  price_micros: bigint
  sla_seconds: number
  auto_accept_seconds: number
  criteria: Json<object[] | null>
  criteria_complete: Generated<boolean>
  message: string
  expires_at: Date
  created_at: Time
  closed_at: MaybeTime
}

interface SearchWords {
  word: string
}

export interface ListingsTables {
  'market.asks': Asks
  'market.ask_versions': AskVersions
  'market.search_words': SearchWords
  'market.bids': Bids
  'market.quotes': Quotes
}
