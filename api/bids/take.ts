import { sql } from 'kysely'
import { holdOwner } from '../accounts/hold.ts'
import type { Tx } from '../db/pool.ts'
import { notFound, Problem } from '../errors.ts'
import { announceQuote } from './announce.ts'
import { findQuote, IS_EXPIRED, lockBid, type QuoteRow } from './find.ts'

/**
 * Uses a quote up for an order of its bidder. Throws 404 without such a bid or quote, 403 to anyone but the bidder, 422
 * for a quote on another bid, 409 for one that is no longer open: closed with its bid, over, withdrawn, replaced or
 * ordered before.
 */
export async function takeQuote(
  tx: Tx,
  buyerId: string,
  { bidId, quoteId }: { bidId: string; quoteId: string },
): Promise<QuoteRow> {
  const bid = await lockBid(tx, bidId)
  if (bid.bidder_id !== buyerId) {
    throw new Problem('auth/forbidden', { detail: 'Only the bidder may order from a bid.', field: 'bid_urn' })
  }
  const quote = await findQuote(tx, buyerId, quoteId)
  // One that the caller gave on somebody else's bid: not theirs to order.
  if (quote.bidder_id !== buyerId) throw notFound('quote')
  if (quote.bid_id !== bidId) {
    throw new Problem('quotes/other-bid', { detail: 'This quote answers another bid of yours.', field: 'quote_urn' })
  }
  if (bid.state !== 'open') throw notOpen('its bid was closed')
  // Its seller may be erased at this very moment: erasure waits for this order, or this order finds nobody to sell.
  if (!(await holdOwner(tx, quote.seller_id))) throw notOpen('its seller is gone')
  const taken = await tx
    .updateTable('market.quotes')
    .set({ state: 'ordered', closed_at: sql`market.now()` })
    .where('id', '=', quoteId)
    .where('state', '=', 'open')
    .where('expires_at', '>', sql<Date>`market.now()`)
    .where((where) => where.not(where.exists(deactivatedSeller(tx, quote.seller_id))))
    .returningAll()
    .returning(IS_EXPIRED)
    .executeTakeFirst()
  if (!taken) throw notOpen('it was ordered, withdrawn or replaced, its time is over, or its seller is gone')
  await announceQuote(tx, 'quote.ordered', taken)
  return taken
}

function deactivatedSeller(tx: Tx, sellerId: string) {
  return tx.selectFrom('market.agents').select('id').where('id', '=', sellerId).where('deactivated_at', 'is not', null)
}

function notOpen(why: string): Problem {
  return new Problem('quotes/not-open', {
    detail: `This quote can no longer be ordered: ${why}.`,
    field: 'quote_urn',
  })
}
