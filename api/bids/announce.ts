import { urnString } from '../../protocol/urn.ts'
import { emit } from '../db/events.ts'
import type { Tx } from '../db/pool.ts'
import type { QuoteRow } from './find.ts'

/** Tells both sides of a quote what became of it. */
export async function announceQuote(tx: Tx, type: string, quote: QuoteRow): Promise<void> {
  await emit(tx, {
    type,
    payload: {
      quote_urn: urnString('quote', quote.id),
      bid_urn: urnString('bid', quote.bid_id),
      seller_urn: urnString('agent', quote.seller_id),
      state: quote.state,
    },
    visibleTo: [quote.bidder_id, quote.seller_id],
  })
}
