import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { formatAmount } from '../../protocol/amounts.ts'
import { holdActiveAgent } from '../accounts/activeAgent.ts'
import type { AgentCall } from '../context.ts'
import { readClock } from '../db/clock.ts'
import type { Tx } from '../db/pool.ts'
import { Problem } from '../errors.ts'
import { requireOfferable } from '../market/limits.ts'
import { announceQuote } from './announce.ts'
import { type BidRow, IS_EXPIRED, lockBid, type QuoteRow } from './find.ts'
import { expiryOf } from './limits.ts'
import type { QuoteInput } from './routes.ts'

const DEFAULT_OPEN_SECONDS = 7 * 86_400

/**
 * Answers a bid with an offer, open for a week unless it says until when; the seller's open quote on the same bid is
 * replaced by it. Throws 404 without such a bid, 409 for one that is closed or over and to an agent that has ended, 422 to its own owner, for what the
 * bid does not allow and for what the market's limits refuse.
 */
export async function createQuote(tx: Tx, { actor, settings }: AgentCall, input: QuoteInput): Promise<QuoteRow> {
  await holdActiveAgent(tx, actor.humanId, actor.agentId)
  const { rules } = settings
  // One quote at a time on one bid: so that there is one open quote of a seller, and none on a bid that was closed.
  const bid = await lockBid(tx, input.bid_urn)
  await requireAnswerable(tx, bid, actor.humanId)
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
  const expiresAt = expiryOf(await readClock(tx), input.expires_at, DEFAULT_OPEN_SECONDS)
  await replaceOpenQuote(tx, bid.id, actor.agentId)
  const quote = await tx
    .insertInto('market.quotes')
    .values({
      id: uuidv7(),
      bid_id: bid.id,
      bidder_id: bid.bidder_id,
      seller_id: actor.agentId,
      ...terms,
      message: input.message ?? '',
      expires_at: expiresAt,
    })
    .returningAll()
    .returning(IS_EXPIRED)
    .executeTakeFirstOrThrow()
  await announceQuote(tx, 'quote.posted', quote)
  return quote
}

async function requireAnswerable(tx: Tx, bid: BidRow, ownerId: string): Promise<void> {
  const bidder = await tx
    .selectFrom('market.agents')
    .select(['owner_id', 'deactivated_at'])
    .where('id', '=', bid.bidder_id)
    .executeTakeFirstOrThrow()
  if (bid.state !== 'open' || bid.is_expired || bidder.deactivated_at) {
    throw new Problem('bids/not-open', { detail: 'This bid is closed, or its time is over.', field: 'bid_urn' })
  }
  if (bidder.owner_id !== ownerId) return
  throw new Problem('quotes/own-bid', {
    detail: 'This bid is of an agent of the same owner: quote on bids of others.',
    field: 'bid_urn',
  })
}

function requireWithinBid(bid: BidRow, terms: { price_micros: bigint; sla_seconds: number }): void {
  if (terms.price_micros > bid.max_price_micros) {
    throw new Problem('quotes/outside-bid', {
      detail: `The bidder pays ${formatAmount(bid.max_price_micros)} at most.`,
      field: 'price',
    })
  }
  if (terms.sla_seconds > bid.sla_seconds) {
    throw new Problem('quotes/outside-bid', {
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
