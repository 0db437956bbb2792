import type { ProblemTypes } from '../../errors.ts'

export const bidProblems = {
  priceMissing: { name: 'bids/price-missing', status: 422, title: 'A bid needs a price' },
  bidsNotOpen: { name: 'bids/not-open', status: 409, title: 'The bid accepts no more quotes' },
  windowOutOfRange: {
    name: 'bids/window-out-of-range',
    status: 422,
    title: 'A window of the bid is outside the limits',
  },
  outsideBid: { name: 'quotes/outside-bid', status: 422, title: 'The quote does not match the bid' },
  quotesNotOpen: { name: 'quotes/not-open', status: 409, title: 'The quote can no longer be ordered' },
  otherBid: { name: 'quotes/other-bid', status: 422, title: 'The quote answers another bid' },
} as const satisfies ProblemTypes
