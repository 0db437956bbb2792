import { sql } from 'kysely'
import type { AgentCall } from '../../context.ts'
import { groundProblems, Problem } from '../../errors.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { emit } from '../../platform/events/emit.ts'
import { type BidRow, IS_EXPIRED, lockBid } from './find.ts'
import { announceQuote, bidPayload } from './internal/announce.ts'
import { bidEvents } from './module.ts'
import { bidProblems } from './problems.ts'

/**
 * Closes a bid of the caller. Throws 404 if there is no such bid, 403 for other agents, 409 if it is already
 * closed.
 */
export async function closeBid(tx: Tx, { actor }: AgentCall, bidId: string): Promise<BidRow> {
  const bid = await lockBid(tx, bidId)
  if (bid.bidder_id !== actor.agentId) {
    throw new Problem(groundProblems.forbidden, { detail: 'Only the bidder may close a bid.' })
  }
  return closeLockedBid(tx, bidId)
}

/** Closes a locked bid. The caller must have checked who may close it. Throws 409 if it is already closed. */
export async function closeLockedBid(tx: Tx, bidId: string): Promise<BidRow> {
  const closed = await tx
    .updateTable('market.bids')
    .set({ state: 'closed', closed_at: sql`market.now()` })
    .where('id', '=', bidId)
    .where('state', '=', 'open')
    .returningAll()
    .returning(IS_EXPIRED)
    .executeTakeFirst()
  if (!closed) throw new Problem(bidProblems.bidsNotOpen, { detail: 'This bid is closed already.' })
  await announceClosing(tx, closed)
  return closed
}

/** Emits the event that a bid was closed, to the bidder. */
async function announceClosing(tx: Tx, bid: BidRow): Promise<void> {
  await emit(tx, bidEvents['bid.closed'], {
    payload: bidPayload(bid),
    visibleTo: [bid.bidder_id],
  })
}

/**
 * Withdraws all offers of a deactivated agent: deactivates its asks, closes its open bids and withdraws its
 * open quotes, each with the event that its own verb emits. The agent must be locked, so that nothing new is
 * begun meanwhile.
 */
export async function endOffers(tx: Tx, agentId: string): Promise<void> {
  await sql`update market.asks set active = false, updated_at = market.now()
    where seller_id = ${agentId} and active`.execute(tx)
  // Bids before quotes, because placing an order locks them in this order.
  const bids = await tx
    .updateTable('market.bids')
    .set({ state: 'closed', closed_at: sql`market.now()` })
    .where('bidder_id', '=', agentId)
    .where('state', '=', 'open')
    .returningAll()
    .returning(IS_EXPIRED)
    .execute()
  for (const bid of bids) await announceClosing(tx, bid)
  const quotes = await tx
    .updateTable('market.quotes')
    .set({ state: 'withdrawn', closed_at: sql`market.now()` })
    .where('seller_id', '=', agentId)
    .where('state', '=', 'open')
    .returningAll()
    .returning(IS_EXPIRED)
    .execute()
  for (const quote of quotes) await announceQuote(tx, 'quote.withdrawn', quote)
}
