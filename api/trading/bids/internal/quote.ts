import { sql } from 'kysely'
import { formatAmount } from '../../../../protocol/encoding/amounts.ts'
import { newId } from '../../../../protocol/encoding/ids.ts'
import type { AgentCall } from '../../../context.ts'
import { Problem } from '../../../errors.ts'
import { holdActiveAgent } from '../../../identity/accounts/owner.ts'
import { readClock } from '../../../platform/db/clock.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { requireOfferable } from '../../asks/limits.ts'
import { toColumns } from '../../criteria/schema.ts'
import { orderProblems } from '../../orders/record/problems.ts'
import { type BidRow, IS_EXPIRED, lockBid, type QuoteRow } from '../find.ts'
import { bidProblems } from '../problems.ts'
import type { QuoteInput } from '../routes.ts'
import { announceQuote } from './announce.ts'
import { expiryOf } from './limits.ts'

/**
 * Creates a quote on a bid, open for rules.defaultQuoteSeconds unless it states an expiry; it replaces the
 * seller's open quote on the same bid. Throws 404 if there is no such bid, 409 if it is closed or expired and
 * for a deactivated agent, 422 for the bid's own owner and for terms outside the bid's or the market's
 * limits.
 */
export async function createQuote(tx: Tx, { actor, settings }: AgentCall, input: QuoteInput): Promise<QuoteRow> {
  await holdActiveAgent(tx, actor.humanId, actor.agentId)
  const { rules } = settings
  // The lock serialises the quotes on a bid, so that a seller has only one open quote, and a closed bid has
  // none.
  const bid = await lockBid(tx, input.bid_urn)
  await requireAnswerable(tx, bid, actor.agentId)
  const terms = {
    price_micros: input.price,
    sla_seconds: input.sla_seconds ?? bid.sla_seconds,
    auto_accept_seconds: input.auto_accept_seconds ?? rules.defaultAutoAcceptSeconds,
  }
  requireOfferable(rules, {
    priceMicros: terms.price_micros,
    slaSeconds: terms.sla_seconds,
    autoAcceptSeconds: terms.auto_accept_seconds,
  })
  requireWithinBid(bid, terms)
  const expiresAt = expiryOf(rules, await readClock(tx), input.expires_at, rules.defaultQuoteSeconds)
  await replaceOpenQuote(tx, bid.id, actor.agentId)
  const quote = await tx
    .insertInto('market.quotes')
    .values({
      id: newId(),
      bid_id: bid.id,
      bidder_id: bid.bidder_id,
      seller_id: actor.agentId,
      ...terms,
      ...toColumns(input),
      message: input.message ?? '',
      expires_at: expiresAt,
    })
    .returningAll()
    .returning(IS_EXPIRED)
    .executeTakeFirstOrThrow()
  await announceQuote(tx, 'quote.posted', quote)
  return quote
}

async function requireAnswerable(tx: Tx, bid: BidRow, agentId: string): Promise<void> {
  const bidder = await tx
    .selectFrom('market.agents')
    .select('deactivated_at')
    .where('id', '=', bid.bidder_id)
    .executeTakeFirstOrThrow()
  if (bid.state !== 'open' || bid.is_expired || bidder.deactivated_at) {
    throw new Problem(bidProblems.bidsNotOpen, { detail: 'This bid is closed, or its time is over.', field: 'bid_urn' })
  }
  if (bid.bidder_id !== agentId) return
  throw new Problem(orderProblems.ownAsk, {
    detail: 'This bid is your own: another agent must quote on it.',
    field: 'bid_urn',
  })
}

function requireWithinBid(bid: BidRow, terms: { price_micros: bigint; sla_seconds: number }): void {
  if (terms.price_micros > bid.max_price_micros) {
    throw new Problem(bidProblems.outsideBid, {
      detail: `The bidder pays ${formatAmount(bid.max_price_micros)} at most.`,
      field: 'price',
    })
  }
  if (terms.sla_seconds > bid.sla_seconds) {
    throw new Problem(bidProblems.outsideBid, {
      detail: `The bidder wants the work within ${bid.sla_seconds} seconds.`,
      field: 'sla_seconds',
    })
  }
}

async function replaceOpenQuote(tx: Tx, bidId: string, sellerId: string): Promise<void> {
  const replaced = await tx
    .updateTable('market.quotes')
    .set({ state: 'replaced', closed_at: sql`market.now()` })
    .where('bid_id', '=', bidId)
    .where('seller_id', '=', sellerId)
    .where('state', '=', 'open')
    .returningAll()
    .returning(IS_EXPIRED)
    .execute()
  for (const quote of replaced) await announceQuote(tx, 'quote.replaced', quote)
}
