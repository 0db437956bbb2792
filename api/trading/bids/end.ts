import { sql } from 'kysely'
import type { Tx } from '../../platform/db/pool.ts'
import { announceQuote } from './announce.ts'
import { announceClosing } from './close.ts'
import { IS_EXPIRED } from './find.ts'

/**
 * Withdraws all offers of a deactivated agent: deactivates its asks, closes its open bids and withdraws its open
 * quotes, each with the event that its own verb emits. The agent must be locked, so that nothing new is begun
 * meanwhile.
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
