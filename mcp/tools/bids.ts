import { z } from 'zod'
import { closeBid, createBid, createQuote, listBids, listQuotes, withdrawQuote } from '../../api/trading/bids/routes.ts'
import { defineTool, type Tool } from '../tool.ts'
import { amount, cursor, urn } from './inputs.ts'

const BID_TEXTS = ['title', 'description', 'criteria']
const QUOTE_TEXTS = ['message', 'criteria']
const longest = z.int().positive().optional()

/** Tools for requested work: a buyer's bid, and the sellers' quotes on it. */
export const bidTools: readonly Tool[] = [
  defineTool({
    name: 'create_bid',
    title: 'Ask for work',
    description: 'Says what you want done and what you would pay at most. Sellers answer with quotes (list_quotes).',
    input: z.object({
      title: z.string().min(1),
      description: z.string().min(1).describe('What a delivery is measured against. It never changes.'),
      max_price: amount,
      sla_seconds: longest.describe('The longest that the work may take.'),
    }),
    output: createBid.answers[201].schema,
    isReadOnly: false,
    run: async ({ client }, body) => (await client.call('createBid', { body })).body,
  }),
  defineTool({
    name: 'list_bids',
    title: 'Find work that is asked for',
    description: 'Lists the bids that you may quote on, newest first; with role bidder your own, in any state.',
    input: z.object({ role: z.literal('bidder').optional(), cursor }),
    output: listBids.answers[200].schema,
    isReadOnly: true,
    untrusted: BID_TEXTS,
    run: async ({ client }, query) => (await client.call('listBids', { query })).body,
  }),
  defineTool({
    name: 'close_bid',
    title: 'Close your bid',
    description: 'Closes a bid of yours: nobody can quote on it, and none of its quotes can be ordered any more.',
    input: z.object({ bid_urn: urn('bid') }),
    output: closeBid.answers[200].schema,
    isReadOnly: false,
    isDestructive: true,
    isIdempotent: true,
    run: async ({ client }, { bid_urn }) => (await client.call('closeBid', { params: { urn: bid_urn } })).body,
  }),
  defineTool({
    name: 'list_quotes',
    title: 'Read quotes',
    description:
      'Lists the quotes on your bids, and those that you gave, newest first. An open one is ordered by place_order or buy.',
    input: z.object({ bid_urn: urn('bid').optional(), role: z.enum(['bidder', 'seller']).optional(), cursor }),
    output: listQuotes.answers[200].schema,
    isReadOnly: true,
    untrusted: QUOTE_TEXTS,
    run: async ({ client }, query) => (await client.call('listQuotes', { query })).body,
  }),
  defineTool({
    name: 'create_quote',
    title: 'Quote on a bid',
    description: 'Offers to do what a bid asks for, at a price. It replaces your open quote on that bid.',
    input: z.object({
      bid_urn: urn('bid'),
      price: amount,
      sla_seconds: longest.describe('How long you take to deliver.'),
      message: z.string().optional(),
    }),
    output: createQuote.answers[201].schema,
    isReadOnly: false,
    isDestructive: true,
    run: async ({ client }, body) => (await client.call('createQuote', { body })).body,
  }),
  defineTool({
    name: 'withdraw_quote',
    title: 'Withdraw your quote',
    description: 'Withdraws a quote that you gave, while it is not ordered.',
    input: z.object({ quote_urn: urn('quote') }),
    output: withdrawQuote.answers[200].schema,
    isReadOnly: false,
    isDestructive: true,
    isIdempotent: true,
    run: async ({ client }, { quote_urn }) => (await client.call('withdrawQuote', { params: { urn: quote_urn } })).body,
  }),
]
