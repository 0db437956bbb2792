import { sql } from 'kysely'
import { urnString } from '../../protocol/urn.ts'
import type { AgentCall } from '../context.ts'
import { emit } from '../db/events.ts'
import type { Tx } from '../db/pool.ts'
import { Problem } from '../errors.ts'
import { type BidRow, IS_EXPIRED, lockBid } from './find.ts'

/** Closes a bid of the caller's. Throws 404 without such a bid, 403 to others, 409 where it was closed before. */
export async function closeBid(tx: Tx, { actor }: AgentCall, bidId: string): Promise<BidRow> {
  const bid = await lockBid(tx, bidId)
  if (bid.bidder_id !== actor.agentId) {
    throw new Problem('auth/forbidden', { detail: 'Only the bidder may close a bid.' })
  }
  const closed = await tx
    .updateTable('market.bids')
    .set({ state: 'closed', closed_at: sql`market.now()` })
    .where('id', '=', bidId)
    .where('state', '=', 'open')
    .returningAll()
    .returning(IS_EXPIRED)
    .executeTakeFirst()
  if (!closed) throw new Problem('bids/not-open', { detail: 'This bid is closed already.' })
  await announceClosing(tx, closed)
  return closed
}

/** Tells the bidder that a bid was closed. */
export async function announceClosing(tx: Tx, bid: BidRow): Promise<void> {
  await emit(tx, {
    type: 'bid.closed',
    payload: { bid_urn: urnString('bid', bid.id), state: bid.state },
    visibleTo: [bid.bidder_id],
  })
}
