import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/pool.ts'
import { type BidRow, IS_EXPIRED, type QuoteRow } from '../find.ts'

/** Where a page begins, and its maximum length. */
interface Page {
  /** The id of the last row of the previous page. */
  before: string | undefined
  limit: number
}

/** The role of an agent in a quote. */
export type QuoteRole = 'bidder' | 'seller'

/** Lists the bids of some agents in any state, or everyone's bids that are open for quotes, newest first. */
export async function listBidRows(
  tx: Tx,
  bidderIds: readonly string[] | undefined,
  { before, limit }: Page,
): Promise<BidRow[]> {
  let query = tx.selectFrom('market.bids as bid').selectAll('bid').select(IS_EXPIRED)
  query =
    bidderIds === undefined
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
      : query.where('bid.bidder_id', '=', sql<string>`any(${bidderIds}::uuid[])`)
  if (before) query = query.where('bid.id', '<', before)
  return query.orderBy('bid.id', 'desc').limit(limit).execute()
}

/** Which of an agent's quotes to list, and where to begin. */
export interface QuoteFilter extends Page {
  role: QuoteRole | undefined
  bidId: string | undefined
}

/** Lists the quotes that some agents gave and those on their bids, newest first. */
export async function listQuoteRows(tx: Tx, agentIds: readonly string[], filter: QuoteFilter): Promise<QuoteRow[]> {
  if (filter.role) return oneSide(tx, agentIds, filter.role, filter)
  const received = await oneSide(tx, agentIds, 'bidder', filter)
  const given = await oneSide(tx, agentIds, 'seller', filter)
  // Between two agents of one human, a quote is found on both sides.
  const found = new Map([...received, ...given].map((quote) => [quote.id, quote]))
  return [...found.values()].sort((left, right) => (left.id < right.id ? 1 : -1)).slice(0, filter.limit)
}

// One query per role, and in it one an agent, so that each reads its index backwards and stops.
async function oneSide(
  tx: Tx,
  agentIds: readonly string[],
  role: QuoteRole,
  { bidId, before, limit }: QuoteFilter,
): Promise<QuoteRow[]> {
  return tx
    .selectFrom(sql<{ id: string }>`unnest(${agentIds}::uuid[])`.as<'own'>(sql`own(id)`))
    .innerJoinLateral(
      (from) =>
        from
          .selectFrom('market.quotes')
          .selectAll()
          .select(IS_EXPIRED)
          .whereRef(role === 'bidder' ? 'bidder_id' : 'seller_id', '=', 'own.id')
          .$if(bidId !== undefined, (query) => query.where('bid_id', '=', bidId ?? ''))
          .$if(before !== undefined, (query) => query.where('market.quotes.id', '<', before ?? ''))
          .orderBy('market.quotes.id', 'desc')
          .limit(limit)
          .as('quote'),
      (join) => join.onTrue(),
    )
    .selectAll('quote')
    .orderBy('quote.id', 'desc')
    .limit(limit)
    .execute()
}
