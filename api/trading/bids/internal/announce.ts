import { formatAmount } from '../../../../protocol/encoding/amounts.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { emit } from '../../../platform/events/emit.ts'
import type { PayloadOf } from '../../../platform/events/eventType.ts'
import type { BidRow, QuoteRow } from '../find.ts'
import { type bidEvents, quoteEvents } from '../module.ts'

/** Emits an event about a quote to both of its parties. */
export async function announceQuote(tx: Tx, type: keyof typeof quoteEvents, quote: QuoteRow): Promise<void> {
  await emit(tx, quoteEvents[type], {
    payload: {
      quote_urn: urnString('quote', quote.id),
      bid_urn: urnString('bid', quote.bid_id),
      seller_urn: urnString('agent', quote.seller_id),
      price: formatAmount(quote.price_micros),
      state: quote.state,
    },
    visibleTo: [quote.bidder_id, quote.seller_id],
  })
}

/** Returns the members that every event about a bid has. */
export function bidPayload(bid: BidRow): PayloadOf<(typeof bidEvents)['bid.posted']> {
  return { bid_urn: urnString('bid', bid.id), state: bid.state, max_price: formatAmount(bid.max_price_micros) }
}
