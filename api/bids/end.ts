import { sql } from 'kysely'
import type { Tx } from '../db/pool.ts'
import { announceQuote } from './announce.ts'
import { announceClosing } from './close.ts'
import { IS_EXPIRED } from './find.ts'

/**
 * Closes the open bids of an agent that ends, and withdraws its open quotes, each told as if it had been done by hand.
 * The agent must be locked: nothing new is begun meanwhile.
 */
export async function endOffers(tx: Tx, agentId: string): Promise<void> {
  // Bids before quotes, as whoever orders one takes them.
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
