import { type Selectable, sql } from 'kysely'
import { notFound } from '../../errors.ts'
import type { Database } from '../../platform/db/generated/tables.ts'
import type { Tx } from '../../platform/db/pool.ts'

/** A bid as stored, and whether it has expired by the market's clock. */
export type BidRow = Selectable<Database['market.bids']> & { is_expired: boolean }

/** A quote as stored, and whether it has expired by the market's clock. */
export type QuoteRow = Selectable<Database['market.quotes']> & { is_expired: boolean }

/** Whether the row has expired: a column of every query that reads bids or quotes. */
export const IS_EXPIRED = sql<boolean>`expires_at <= market.now()`.as('is_expired')

/** Returns a bid, which anyone may read. Throws 404 if there is none. */
export async function findBid(tx: Tx, bidId: string): Promise<BidRow> {
  const query = tx.selectFrom('market.bids').selectAll().select(IS_EXPIRED).where('id', '=', bidId)
  return query.executeTakeFirstOrThrow(() => notFound('bid'))
}

/**
 * Locks and returns a bid before it is closed, quoted on or ordered from, so that what is checked on it stays
 * true until the transaction ends. Throws 404 if there is none.
 */
export async function lockBid(tx: Tx, bidId: string): Promise<BidRow> {
  const query = tx.selectFrom('market.bids').selectAll().select(IS_EXPIRED).where('id', '=', bidId)
  return query.forNoKeyUpdate().executeTakeFirstOrThrow(() => notFound('bid'))
}

/** Returns a quote to its bidder or its seller. Throws the uniform 404 for anyone else. */
export async function findQuote(tx: Tx, agentIds: readonly string[], quoteId: string): Promise<QuoteRow> {
  const ours = sql<string>`any(${agentIds}::uuid[])`
  const quote = await tx
    .selectFrom('market.quotes')
    .selectAll()
    .select(IS_EXPIRED)
    .where('id', '=', quoteId)
    .where((where) => where.or([where('bidder_id', '=', ours), where('seller_id', '=', ours)]))
    .executeTakeFirst()
  if (quote) return quote
  throw notFound('quote')
}
