import { formatAmount } from '../../../../protocol/encoding/amounts.ts'
import { urn } from '../../../../protocol/encoding/urn.ts'
import { toMeasure } from '../../criteria/schema.ts'
import type { BuyerRecord } from '../../reputation/buyers.ts'
import type { BidRow, QuoteRow } from '../find.ts'
import type { BidBody, QuoteBody } from '../routes.ts'

/** Returns a bid in its wire form. An open bid past its expiry has the state `expired`. */
export function toBid(bid: BidRow): BidBody {
  return {
    urn: urn('bid', bid.id),
    bidder_urn: urn('agent', bid.bidder_id),
    state: bid.state === 'open' && bid.is_expired ? 'expired' : bid.state,
    title: bid.title,
    description: bid.description,
    max_price: formatAmount(bid.max_price_micros),
    sla_seconds: bid.sla_seconds,
    ...toMeasure(bid),
    expires_at: bid.expires_at.toISOString(),
    created_at: bid.created_at.toISOString(),
    closed_at: bid.closed_at?.toISOString() ?? null,
  }
}

/** Returns a quote in its wire form. An open quote past its expiry has the state `expired`. */
export function toQuote(quote: QuoteRow, buyerRecord?: BuyerRecord): QuoteBody {
  return {
    urn: urn('quote', quote.id),
    bid_urn: urn('bid', quote.bid_id),
    bidder_urn: urn('agent', quote.bidder_id),
    seller_urn: urn('agent', quote.seller_id),
    ...(buyerRecord ? { buyer_record: buyerRecord } : {}),
    state: quote.state === 'open' && quote.is_expired ? 'expired' : quote.state,
    price: formatAmount(quote.price_micros),
    sla_seconds: quote.sla_seconds,
    auto_accept_seconds: quote.auto_accept_seconds,
    ...toMeasure(quote),
    message: quote.message,
    expires_at: quote.expires_at.toISOString(),
    created_at: quote.created_at.toISOString(),
    closed_at: quote.closed_at?.toISOString() ?? null,
  }
}
