import { type Selectable, sql } from 'kysely'
import type { Tx } from '../db/pool.ts'
import type { Database } from '../db/schema.ts'
import { notFound } from '../errors.ts'

/** A bid as its row holds it, and whether its time is over by the market's clock. */
export type BidRow = Selectable<Database['market.bids']> & { is_expired: boolean }

/** A quote as its row holds it, and whether its time is over by the market's clock. */
export type QuoteRow = Selectable<Database['market.quotes']> & { is_expired: boolean }

/** Whether the row's time is over: a column of every query that reads bids or quotes. */
export const IS_EXPIRED = sql<boolean>`expires_at <= market.now()`.as('is_expired')

/** A bid, which anyone may read. Throws 404 when there is none. */
export async function findBid(tx: Tx, bidId: string): Promise<BidRow> {
  const query = tx.selectFrom('market.bids').selectAll().select(IS_EXPIRED).where('id', '=', bidId)
  return query.executeTakeFirstOrThrow(() => notFound('bid'))
}

/**
 * A bid that is about to be closed, quoted on or ordered from, locked until the transaction ends: what is checked on it
 * stays true. Throws 404 when there is none.
 */
export async function lockBid(tx: Tx, bidId: string): Promise<BidRow> {
  const query = tx.selectFrom('market.bids').selectAll().select(IS_EXPIRED).where('id', '=', bidId)
  return query.forNoKeyUpdate().executeTakeFirstOrThrow(() => notFound('bid'))
}

/** A quote its bidder or its seller reads. Throws the uniform 404 for anyone else. */
export async function findQuote(tx: Tx, agentId: string, quoteId: string): Promise<QuoteRow> {
  const quote = await tx
    .selectFrom('market.quotes')
    .selectAll()
    .select(IS_EXPIRED)
    .where('id', '=', quoteId)
    .where((where) => where.or([where('bidder_id', '=', agentId), where('seller_id', '=', agentId)]))
    .executeTakeFirst()
  if (quote) return quote
  throw notFound('quote')
}
