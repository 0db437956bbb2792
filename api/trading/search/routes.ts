import { z } from '@hono/zod-openapi'
import { defineRoute } from '../../platform/http/route/route.ts'
import { amountSchema, pageQuery, urnParam } from '../../platform/http/route/schemas.ts'
import { ask } from '../asks/routes.ts'
import { inputFilter } from '../inputs/ask.ts'
import { sellerSummary } from '../reputation/schemas.ts'
import { SORTS } from './internal/wanted.ts'
import { searchProblems } from './problems.ts'

const MAX_QUERY_CHARACTERS = 200
// A cursor contains the corrected query, which is the same on every page.
const MAX_CURSOR_CHARACTERS = 2_000

const listedAsk = ask.extend({ seller: sellerSummary }).openapi('ListedAsk')

export const searchAsks = defineRoute({
  operationId: 'searchAsks',
  method: 'get',
  path: '/v1/search',
  group: { name: 'search', about: 'Finding asks, and attachments of an org.' },
  summary: 'Find asks by their words, price, seller and input; without q, all of them, newest first',
  access: { scope: 'read', as: 'any' },
  query: z.object({
    ...pageQuery(),
    q: z.string().max(MAX_QUERY_CHARACTERS).optional().openapi({
      description:
        'Words; "a phrase"; -without; this or that. Where nothing matches, misspelt words are corrected, and the last may be the start of one. The newest 500 matches are ranked and listed; a phrase, and what to leave out, is looked for among the newest 1,000 with the words.',
      example: 'translation french -legal',
    }),
    min_price: amountSchema.optional().openapi({ description: 'Only asks at this price or a higher one.' }),
    max_price: amountSchema.optional().openapi({ description: 'Only asks at this price or a lower one.' }),
    seller_urn: urnParam('agent').optional().openapi({ description: 'Only asks of this agent.' }),
    input: inputFilter,
    sort: z.enum(SORTS).default('relevance').openapi({
      description:
        'relevance: the best matches first, of the newest 500. newest and price (the cheapest first) list all that match.',
    }),
    cursor: z.string().max(MAX_CURSOR_CHARACTERS).optional().openapi({
      description: 'next_cursor of the page before.',
    }),
  }),
  answers: {
    200: {
      description: 'The matches, in the order of sort.',
      schema: z
        .object({
          asks: z.array(listedAsk),
          next_cursor: z.string().nullable(),
          corrected_query: z.string().nullable().openapi({ description: 'What was searched for, where it was not q.' }),
        })
        .openapi('SearchResults'),
    },
  },
  problems: [searchProblems.timedOut],
})
