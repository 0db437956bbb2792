import { type RawBuilder, sql } from 'kysely'
import type { InputMode } from '../../../../protocol/records/inputNeeds.ts'

/** The orders in which a search lists its matches. */
export const SORTS = ['relevance', 'newest', 'price'] as const

/**
 * The condition of a search: listings with the words of a text, or all listings without one, of a seller and
 * within prices.
 */
export interface Wanted {
  text: string
  sort?: (typeof SORTS)[number] | undefined
  minMicros?: bigint | undefined
  maxMicros?: bigint | undefined
  sellerId?: string | undefined
  input?: InputMode | undefined
}

/**
 * The condition that a listing is on the market, of the seller, within the prices and with this input, over
 * the columns of market.asks.
 */
export function isOffered({ minMicros, maxMicros, sellerId, input }: Wanted): RawBuilder<boolean> {
  const conditions = [
    sql`active`,
    ...(minMicros === undefined ? [] : [sql`price_micros >= ${minMicros}`]),
    ...(maxMicros === undefined ? [] : [sql`price_micros <= ${maxMicros}`]),
    ...(input === undefined ? [] : [sql`input = ${input}`]),
    ...(sellerId === undefined ? [] : [sql`seller_id = ${sellerId}`]),
  ]
  return sql<boolean>`(${sql.join(conditions, sql` and `)})`
}
