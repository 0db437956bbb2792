import { z } from 'zod'
import { amountIn, defineEvents, urnIn } from '../../platform/events/eventType.ts'

const aboutBid = z.object({ bid_urn: urnIn('bid'), state: z.enum(['open', 'closed']), max_price: amountIn })

const aboutQuote = z.object({
  quote_urn: urnIn('quote'),
  bid_urn: urnIn('bid'),
  seller_urn: urnIn('agent'),
  price: amountIn,
  state: z.enum(['open', 'withdrawn', 'replaced', 'ordered']),
})

export const bidEvents = defineEvents({
  'bid.posted': { when: 'A bid is open.', payload: aboutBid },
  'bid.closed': { when: 'A bid takes no quotes any more.', payload: aboutBid },
})

export const quoteEvents = defineEvents({
  'quote.posted': { when: 'A seller answered a bid.', payload: aboutQuote },
  'quote.replaced': { when: 'The seller made another quote for the same bid.', payload: aboutQuote },
  'quote.withdrawn': { when: 'The seller withdrew the quote.', payload: aboutQuote },
  'quote.ordered': { when: 'The bidder ordered the quote.', payload: aboutQuote },
})
