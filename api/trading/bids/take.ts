import { sql } from 'kysely'
import { groundProblems, notFound, Problem } from '../../errors.ts'
import { lockOwner } from '../../identity/accounts/owner.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { findQuote, IS_EXPIRED, lockBid, type QuoteRow } from './find.ts'
import { announceQuote } from './internal/announce.ts'
import { bidProblems } from './problems.ts'

/**
 * Uses up a quote for an order of its bidder. Throws 404 if there is no such bid or quote, 403 for anyone but
 * the bidder, 422 for a quote on another bid, 409 for one that is no longer open: its bid is closed, or it is
 * expired, withdrawn, replaced or already ordered.
 */
export async function takeQuote(
  tx: Tx,
  buyerId: string,
  { bidId, quoteId }: { bidId: string; quoteId: string },
): Promise<QuoteRow> {
  const bid = await lockBid(tx, bidId)
  if (bid.bidder_id !== buyerId) {
    throw new Problem(groundProblems.forbidden, { detail: 'Only the bidder may order from a bid.', field: 'bid_urn' })
  }
  const quote = await findQuote(tx, [buyerId], quoteId)
  // The caller gave this quote on another agent's bid, so they cannot order it.
  if (quote.bidder_id !== buyerId) throw notFound('quote')
  if (quote.bid_id !== bidId) {
    throw new Problem(bidProblems.otherBid, { detail: 'This quote answers another bid of yours.', field: 'quote_urn' })
  }
  if (bid.state !== 'open') throw notOpen('its bid was closed')
  // The seller may be erased at the same time: either the erasure waits for this order, or this order fails
  // because the seller is gone.
  await lockOwner(tx, quote.seller_id, () => notOpen('its seller is gone'))
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
  return new Problem(bidProblems.quotesNotOpen, {
    detail: `This quote can no longer be ordered: ${why}.`,
    field: 'quote_urn',
  })
}
