import { sql } from 'kysely'
import type { Tx } from '../../platform/db/pool.ts'
import { type BidRow, IS_EXPIRED, type QuoteRow } from './find.ts'

/** Where a page begins, and its maximum length. */
interface Page {
  /** The id of the last row of the previous page. */
  before: string | undefined
  limit: number
}

/** The role of an agent in a quote. */
export type QuoteRole = 'bidder' | 'seller'

/** Lists one agent's bids in any state, or everyone's bids that are open for quotes, newest first. */
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

/** Which of an agent's quotes to list, and where to begin. */
export interface QuoteFilter extends Page {
  role: QuoteRole | undefined
  bidId: string | undefined
}

/** Lists the quotes an agent gave and those on its bids, newest first. */
export async function listQuoteRows(tx: Tx, agentId: string, filter: QuoteFilter): Promise<QuoteRow[]> {
  if (filter.role) return oneSide(tx, agentId, filter.role, filter)
  const received = await oneSide(tx, agentId, 'bidder', filter)
  const given = await oneSide(tx, agentId, 'seller', filter)
  return [...received, ...given].sort((left, right) => (left.id < right.id ? 1 : -1)).slice(0, filter.limit)
}

// One query per role, so that each reads its index backwards and stops.
async function oneSide(tx: Tx, agentId: string, role: QuoteRole, filter: QuoteFilter): Promise<QuoteRow[]> {
  const { bidId, before, limit } = filter
  let query = tx.selectFrom('market.quotes').selectAll().select(IS_EXPIRED)
  query = query.where(role === 'bidder' ? 'bidder_id' : 'seller_id', '=', agentId)
  if (bidId) query = query.where('bid_id', '=', bidId)
  if (before) query = query.where('id', '<', before)
  return query.orderBy('id', 'desc').limit(limit).execute()
}
