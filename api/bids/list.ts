import { sql } from 'kysely'
import type { Tx } from '../db/pool.ts'
import { type BidRow, IS_EXPIRED, type QuoteRow } from './find.ts'

/** Where a page begins, and how long it is. */
interface Page {
  /** The id of the last row already seen. */
  before: string | undefined
  limit: number
}

/** The side of a quote an agent is on. */
export type QuoteRole = 'bidder' | 'seller'

/** The bids of one agent in any state, or of everyone those that may be quoted on, newest first. */
export async function listBidRows(tx: Tx, bidderId: string | undefined, { before, limit }: Page): Promise<BidRow[]> {
  let query = tx.selectFrom('market.bids as bid').selectAll('bid').select(IS_EXPIRED)
  query =
    bidderId === undefined
      ? query
          .where('bid.state', '=', 'open')
          .where('bid.expires_at', '>', sql<Date>`market.now()`)
          .where((where) =>
            where.not(
              where.exists(
                where
                  .selectFrom('market.agents as bidder')
                  .select('bidder.id')
                  .whereRef('bidder.id', '=', 'bid.bidder_id')
                  .where('bidder.deactivated_at', 'is not', null),
              ),
            ),
          )
      : query.where('bid.bidder_id', '=', bidderId)
  if (before) query = query.where('bid.id', '<', before)
  return query.orderBy('bid.id', 'desc').limit(limit).execute()
}

/** Which of an agent's quotes to list, from where on. */
export interface QuoteFilter extends Page {
  role: QuoteRole | undefined
  bidId: string | undefined
}

/** The quotes an agent gave, and those on its bids, newest first. */
export async function listQuoteRows(tx: Tx, agentId: string, filter: QuoteFilter): Promise<QuoteRow[]> {
  if (filter.role) return oneSide(tx, agentId, filter.role, filter)
  const received = await oneSide(tx, agentId, 'bidder', filter)
  const given = await oneSide(tx, agentId, 'seller', filter)
  return [...received, ...given].sort((left, right) => (left.id < right.id ? 1 : -1)).slice(0, filter.limit)
}

// One query a side, so that each reads its index backwards and stops.
async function oneSide(tx: Tx, agentId: string, role: QuoteRole, filter: QuoteFilter): Promise<QuoteRow[]> {
  const { bidId, before, limit } = filter
  let query = tx.selectFrom('market.quotes').selectAll().select(IS_EXPIRED)
  query = query.where(role === 'bidder' ? 'bidder_id' : 'seller_id', '=', agentId)
  if (bidId) query = query.where('bid_id', '=', bidId)
  if (before) query = query.where('id', '<', before)
  return query.orderBy('id', 'desc').limit(limit).execute()
}
