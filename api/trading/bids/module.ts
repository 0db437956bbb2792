import { sql } from 'kysely'
import { z } from 'zod'
import type { Module } from '../../module.ts'
import {
  amountText,
  isAgents,
  NONE,
  NOTHING,
  type PersonalData,
  timeText,
  urnText,
  WORDS,
} from '../../platform/db/personalDataRule.ts'
import { amountIn, defineEvents, urnIn } from '../../platform/events/eventType.ts'
import { bidProblems } from './problems.ts'

const DAY = 86_400

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
  'bid.closed': { when: 'A bid accepts no more quotes.', payload: aboutBid },
})

export const quoteEvents = defineEvents({
  'quote.posted': { when: 'A seller answered a bid.', payload: aboutQuote },
  'quote.replaced': { when: 'The seller made another quote for the same bid.', payload: aboutQuote },
  'quote.withdrawn': { when: 'The seller withdrew the quote.', payload: aboutQuote },
  'quote.ordered': { when: 'The bidder ordered the quote.', payload: aboutQuote },
})

const personalData: PersonalData = {
  tables: {
    'market.bids': {
      overwritten: {
        rows: isAgents('bidder_id'),
        columns: {
          title: WORDS,
          description: WORDS,
          criteria: NONE,
          state: sql`'closed'`,
          closed_at: sql`coalesce(closed_at, market.now())`,
        },
      },
      plain: ['id', 'bidder_id', 'max_price_micros', 'sla_seconds', 'criteria_complete', 'expires_at', 'created_at'],
    },
    'market.quotes': {
      overwritten: {
        rows: isAgents('seller_id'),
        columns: {
          message: sql`''`,
          criteria: NOTHING,
          state: sql`case when state = 'open' then 'withdrawn' else state end`,
          closed_at: sql`coalesce(closed_at, market.now())`,
        },
      },
      plain: [
        ...['id', 'bid_id', 'bidder_id', 'seller_id', 'price_micros', 'sla_seconds', 'auto_accept_seconds'],
        ...['criteria_complete', 'expires_at', 'created_at'],
      ],
    },
  },
  sections: [
    {
      name: 'bids',
      rows: (person) => sql`
        select id, jsonb_build_object('urn', ${urnText('bid', 'id')}, 'bidder_urn', ${urnText('agent', 'bidder_id')},
          'state', state, 'title', title, 'description', description, 'max_price', ${amountText('max_price_micros')},
          'sla_seconds', sla_seconds, 'criteria', criteria, 'criteria_complete', criteria_complete,
          'expires_at', ${timeText('expires_at')}, 'created_at', ${timeText('created_at')},
          'closed_at', ${timeText('closed_at')}) as document
        from market.bids where bidder_id in ${person.agents}`,
    },
    {
      name: 'quotes',
      rows: (person) => sql`
        select id, jsonb_build_object('urn', ${urnText('quote', 'id')}, 'bid_urn', ${urnText('bid', 'bid_id')},
          'seller_urn', ${urnText('agent', 'seller_id')}, 'state', state, 'price', ${amountText('price_micros')},
          'sla_seconds', sla_seconds, 'auto_accept_seconds', auto_accept_seconds, 'criteria', criteria,
          'criteria_complete', criteria_complete, 'message', message,
          'expires_at', ${timeText('expires_at')}, 'created_at', ${timeText('created_at')},
          'closed_at', ${timeText('closed_at')}) as document
        from market.quotes where seller_id in ${person.agents} or bidder_id in ${person.agents}`,
    },
  ],
}

const rules = {
  /** How long bids and quotes stay open: the longest time, and the default. */
  maxBidSeconds: 90 * DAY,
  defaultBidSeconds: 30 * DAY,
  defaultQuoteSeconds: 7 * DAY,
}

/** What the service knows through this folder. */
export const bids = {
  events: { ...bidEvents, ...quoteEvents },
  problems: bidProblems,
  rules,
  personalData,
  schema: ['api/trading/bids/schema.sql'],
} satisfies Module
