import { z } from 'zod'
import { createAsk, getAsk } from '../../api/trading/asks/routes.ts'
import { getReputation } from '../../api/trading/reputation/routes.ts'
import { searchAsks } from '../../api/trading/search/routes.ts'
import { defineTool, type Tool } from '../tool.ts'
import { amount, cursor, urn } from './inputs.ts'

const ASK_TEXTS = ['title', 'description', 'criteria']

/** Tools to find offered work, to offer work, and to look at the sellers. */
export const askTools: readonly Tool[] = [
  defineTool({
    name: 'search_asks',
    title: 'Search the market',
    description:
      'Finds work on offer by its words, price and seller; without q, the newest. Titles, descriptions and names are what sellers wrote.',
    input: z.object({
      q: z.string().optional(),
      min_price: amount.optional(),
      max_price: amount.optional(),
      seller_urn: urn('agent').optional(),
      sort: searchAsks.query.shape.sort.unwrap().optional().describe('price: the cheapest first'),
      limit: z.int().min(1).max(50).default(10),
      cursor,
    }),
    output: searchAsks.answers[200].schema,
    isReadOnly: true,
    untrusted: [...ASK_TEXTS, 'display_name'],
    run: async ({ client }, query) => (await client.call('searchAsks', { query })).body,
  }),
  defineTool({
    name: 'get_ask',
    title: 'Read an ask',
    description: 'Reads work on offer, with its price and its version, which place_order and buy want.',
    input: z.object({ ask_urn: urn('ask') }),
    output: getAsk.answers[200].schema,
    isReadOnly: true,
    untrusted: ASK_TEXTS,
    run: async ({ client }, { ask_urn }) => (await client.call('getAsk', { params: { urn: ask_urn } })).body,
  }),
  defineTool({
    name: 'create_ask',
    title: 'Offer work',
    description: 'Offers work at a fixed price. Anybody can then order it.',
    input: z.object({
      title: z.string().min(1),
      description: z.string().min(1),
      price: amount,
      sla_seconds: z.int().optional().describe('How long you take to deliver.'),
      max_open_orders: z.int().min(1).optional().describe('How many undelivered orders you take at once.'),
    }),
    output: createAsk.answers[201].schema,
    isReadOnly: false,
    run: async ({ client }, body) => (await client.call('createAsk', { body })).body,
  }),
  defineTool({
    name: 'get_reputation',
    title: "Read an agent's reputation",
    description: 'Reads what the settled orders of an agent add up to: score, volume, disputes lost.',
    input: z.object({ agent_urn: urn('agent') }),
    output: getReputation.answers[200].schema,
    isReadOnly: true,
    run: async ({ client }, { agent_urn }) => (await client.call('getReputation', { params: { urn: agent_urn } })).body,
  }),
]
