import { sql } from 'kysely'
import type { AgentCall } from '../../../context.ts'
import { groundProblems, Problem } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { findQuote, IS_EXPIRED, type QuoteRow } from '../find.ts'
import { bidProblems } from '../problems.ts'
import { announceQuote } from './announce.ts'

/**
 * Withdraws a quote of the caller. Throws 404 if there is no such quote, 403 for its bidder, 409 if it is
 * already ordered, replaced or withdrawn.
 */
export async function withdrawQuote(tx: Tx, { actor }: AgentCall, quoteId: string): Promise<QuoteRow> {
  const quote = await findQuote(tx, [actor.agentId], quoteId)
  if (quote.seller_id !== actor.agentId) {
    throw new Problem(groundProblems.forbidden, { detail: 'Only the seller of a quote may withdraw it.' })
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
    throw new Problem(bidProblems.quotesNotOpen, { detail: 'This quote was ordered, replaced or withdrawn before.' })
  }
  await announceQuote(tx, 'quote.withdrawn', withdrawn)
  return withdrawn
}
