import { sql } from 'kysely'
import type { AgentCall } from '../context.ts'
import type { Tx } from '../db/pool.ts'
import { Problem } from '../errors.ts'
import { announceQuote } from './announce.ts'
import { findQuote, IS_EXPIRED, type QuoteRow } from './find.ts'

/**
 * Withdraws a quote of the caller's. Throws 404 without such a quote, 403 to its bidder, 409 where it was ordered,
 * replaced or withdrawn before.
 */
export async function withdrawQuote(tx: Tx, { actor }: AgentCall, quoteId: string): Promise<QuoteRow> {
  const quote = await findQuote(tx, actor.agentId, quoteId)
  if (quote.seller_id !== actor.agentId) {
    throw new Problem('auth/forbidden', { detail: 'Only the seller of a quote may withdraw it.' })
  }
  const withdrawn = await tx
    .updateTable('market.quotes')
    .set({ state: 'withdrawn', closed_at: sql`market.now()` })
    .where('id', '=', quoteId)
    .where('state', '=', 'open')
    .returningAll()
    .returning(IS_EXPIRED)
    .executeTakeFirst()
  if (!withdrawn) {
    throw new Problem('quotes/not-open', { detail: 'This quote was ordered, replaced or withdrawn before.' })
  }
  await announceQuote(tx, 'quote.withdrawn', withdrawn)
  return withdrawn
}
