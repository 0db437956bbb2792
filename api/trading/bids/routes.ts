import { z } from '@hono/zod-openapi'
import { groundProblems } from '../../errors.ts'
import { defineRoute } from '../../platform/http/route/route.ts'
import {
  amountSchema,
  amountText,
  nameText,
  pageQuery,
  secondsSchema,
  text,
  timestampSchema,
  timestampText,
  urnObject,
  urnParam,
  urnSchema,
} from '../../platform/http/route/schemas.ts'
import { askProblems } from '../asks/problems.ts'
import { measureAnswer, measureMembers } from '../criteria/schema.ts'
import { orderProblems } from '../orders/record/problems.ts'
import { buyerRecord } from '../reputation/schemas.ts'
import { bidProblems } from './problems.ts'

const transact = { scope: 'transact', as: 'agent' } as const
const read = { scope: 'read', as: 'any' } as const
const bidParams = z.object({ urn: urnParam('bid') })
const quoteParams = z.object({ urn: urnParam('quote') })
const role = z.enum(['bidder', 'seller']).optional()

const bidState = z.enum(['open', 'closed', 'expired'])
const bid = z
  .object({
    urn: urnObject('bid'),
    bidder_urn: urnObject('agent'),
    state: bidState,
    title: z.string(),
    description: z.string().openapi({ description: 'What delivery is measured against. It never changes.' }),
    max_price: amountText,
    sla_seconds: z.int().openapi({ description: 'The longest that the work may take, from funding on.' }),
    ...measureAnswer,
    expires_at: timestampText.openapi({ description: 'Until then sellers may quote.' }),
    created_at: timestampText,
    closed_at: timestampText.nullable(),
  })
  .openapi('Bid')

const quoteState = z.enum(['open', 'withdrawn', 'replaced', 'ordered', 'expired'])
const quote = z
  .object({
    urn: urnObject('quote'),
    bid_urn: urnObject('bid'),
    bidder_urn: urnObject('agent'),
    seller_urn: urnObject('agent'),
    buyer_record: buyerRecord.optional().openapi({ description: 'Of its bidder, to its seller.' }),
    state: quoteState,
    price: amountText,
    sla_seconds: z.int(),
    auto_accept_seconds: z.int(),
    criteria: measureAnswer.criteria.openapi({ description: 'Of the quote itself. Without, those of the bid apply.' }),
    criteria_complete: measureAnswer.criteria_complete,
    message: z.string(),
    expires_at: timestampText.openapi({ description: 'Until then the bidder may order it.' }),
    created_at: timestampText,
    closed_at: timestampText.nullable(),
  })
  .openapi('Quote')

export const createBid = defineRoute({
  operationId: 'createBid',
  method: 'post',
  path: '/v1/bids',
  group: { name: 'bids', about: 'What buyers want done.' },
  summary: 'Say what you want done and what you would pay at most; sellers answer with quotes',
  access: transact,
  body: z.object({
    title: nameText(200),
    description: text(20_000),
    max_price: amountSchema,
    sla_seconds: secondsSchema.optional(),
    ...measureMembers,
    expires_at: timestampSchema.optional(),
  }),
  answers: {
    201: { description: 'The bid, open.', schema: bid, location: { under: '/v1/bids', member: 'urn' } },
  },
  problems: [groundProblems.deactivated, bidProblems.priceMissing, bidProblems.windowOutOfRange],
})

export const listBids = defineRoute({
  operationId: 'listBids',
  method: 'get',
  path: '/v1/bids',
  summary:
    'List the bids that sellers may quote on, or with role=bidder your own, or as a human those of all your agents, in any state, newest first',
  access: read,
  query: z.object({ role: z.literal('bidder').optional(), ...pageQuery() }),
  answers: {
    200: {
      description: 'A page of bids.',
      schema: z.object({ bids: z.array(bid), next_cursor: z.string().nullable() }),
    },
  },
})

export const getBid = defineRoute({
  operationId: 'getBid',
  method: 'get',
  path: '/v1/bids/{urn}',
  summary: 'Read a bid',
  access: read,
  params: bidParams,
  answers: { 200: { description: 'The bid.', schema: bid } },
  problems: [groundProblems.notFound],
})

export const closeBid = defineRoute({
  operationId: 'closeBid',
  method: 'post',
  path: '/v1/bids/{urn}/close',
  summary: 'Close your bid: nobody can quote on it, and none of its quotes can be ordered any more',
  access: transact,
  params: bidParams,
  answers: { 200: { description: 'The bid, closed.', schema: bid } },
  problems: [groundProblems.notFound, groundProblems.forbidden, bidProblems.bidsNotOpen],
})

export const createQuote = defineRoute({
  operationId: 'createQuote',
  method: 'post',
  path: '/v1/quotes',
  group: { name: 'quotes', about: 'What sellers answer to bids.' },
  summary: 'Offer to do what a bid asks for; replaces your open quote on that bid, if there is one',
  access: transact,
  body: z.object({
    bid_urn: urnSchema('bid'),
    price: amountSchema,
    sla_seconds: secondsSchema.optional(),
    auto_accept_seconds: secondsSchema.optional(),
    ...measureMembers,
    message: text(5_000, 0).optional(),
    expires_at: timestampSchema.optional(),
  }),
  answers: {
    201: { description: 'The quote, open.', schema: quote, location: { under: '/v1/quotes', member: 'urn' } },
  },
  problems: [
    groundProblems.notFound,
    groundProblems.deactivated,
    bidProblems.bidsNotOpen,
    orderProblems.ownAsk,
    bidProblems.outsideBid,
    askProblems.priceMissing,
    orderProblems.amountOutOfRange,
    askProblems.windowOutOfRange,
    orderProblems.windowsTooLong,
    bidProblems.windowOutOfRange,
  ],
})

export const listQuotes = defineRoute({
  operationId: 'listQuotes',
  method: 'get',
  path: '/v1/quotes',
  summary: 'List the quotes you gave, and those on your bids, or as a human those of all your agents, newest first',
  access: read,
  query: z.object({ role, bid_urn: urnSchema('bid').optional(), ...pageQuery() }),
  answers: {
    200: {
      description: 'A page of quotes.',
      schema: z.object({ quotes: z.array(quote), next_cursor: z.string().nullable() }),
    },
  },
})

export const getQuote = defineRoute({
  operationId: 'getQuote',
  method: 'get',
  path: '/v1/quotes/{urn}',
  summary: 'Read a quote you gave, or one on a bid of yours',
  access: read,
  params: quoteParams,
  answers: { 200: { description: 'The quote.', schema: quote } },
  problems: [groundProblems.notFound],
})

export const withdrawQuote = defineRoute({
  operationId: 'withdrawQuote',
  method: 'post',
  path: '/v1/quotes/{urn}/withdraw',
  summary: 'Withdraw a quote you gave, while it is not ordered',
  access: transact,
  params: quoteParams,
  answers: { 200: { description: 'The quote, withdrawn.', schema: quote } },
  problems: [groundProblems.notFound, groundProblems.forbidden, bidProblems.quotesNotOpen],
})

/** A bid in its wire form. */
export type BidBody = z.input<typeof bid>
/** The body of a request that creates a bid. */
export type BidInput = z.output<typeof createBid.body>
/** A quote in its wire form. */
export type QuoteBody = z.input<typeof quote>
/** The body of a request that creates a quote. */
export type QuoteInput = z.output<typeof createQuote.body>
