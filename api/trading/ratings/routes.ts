import { z } from '@hono/zod-openapi'
import { groundProblems } from '../../errors.ts'
import { defineRoute } from '../../platform/http/route/route.ts'
import { pageQuery, text, timestampText, urnObject, urnParam, urnSchema } from '../../platform/http/route/schemas.ts'
import { orderProblems } from '../orders/record/problems.ts'
import { ratingProblems } from './problems.ts'

const MAX_CHARACTERS = 2_000

const rating = z
  .object({
    urn: urnObject('rating'),
    order_urn: urnObject('order'),
    seller_urn: urnObject('agent'),
    rating: z.int().min(1).max(5),
    comment: z.string().optional(),
    reply: z.string().optional().openapi({ description: "The seller's." }),
    created_at: timestampText,
    replied_at: timestampText.optional(),
  })
  .openapi('Rating')

export const rateOrder = defineRoute({
  operationId: 'rateOrder',
  method: 'post',
  path: '/v1/ratings',
  group: { name: 'ratings', about: 'What buyers say of the work.' },
  summary: 'Rate the work of a final order you bought, once',
  access: { scope: 'transact', as: 'agent' },
  body: z.object({
    order_urn: urnSchema('order'),
    rating: z.int().min(1).max(5),
    comment: text(MAX_CHARACTERS).optional(),
  }),
  bodyExample: { order_urn: 'market:order:01890000-0000-7000-8000-000000000000', rating: 5, comment: 'On time.' },
  answers: { 201: { description: 'The rating.', schema: rating, location: { under: '/v1/ratings', member: 'urn' } } },
  problems: [
    groundProblems.notFound,
    groundProblems.forbidden,
    orderProblems.stateConflict,
    orderProblems.windowClosed,
    ratingProblems.exists,
  ],
})

export const getRating = defineRoute({
  operationId: 'getRating',
  method: 'get',
  path: '/v1/ratings/{urn}',
  summary: 'Read a rating',
  access: { scope: 'read', as: 'any' },
  params: z.object({ urn: urnParam('rating') }),
  answers: { 200: { description: 'The rating.', schema: rating } },
  problems: [groundProblems.notFound],
})

export const listRatings = defineRoute({
  operationId: 'listRatings',
  method: 'get',
  path: '/v1/ratings',
  summary: 'List the ratings of a seller, newest first',
  access: { scope: 'read', as: 'any' },
  query: z.object({ seller_urn: urnParam('agent'), ...pageQuery() }),
  answers: {
    200: {
      description: 'A page of ratings.',
      schema: z.object({ ratings: z.array(rating), next_cursor: z.string().nullable() }),
    },
  },
})

export const replyToRating = defineRoute({
  operationId: 'replyToRating',
  method: 'post',
  path: '/v1/ratings/{urn}/reply',
  summary: 'Answer a rating of your work, once',
  access: { scope: 'transact', as: 'agent' },
  params: z.object({ urn: urnParam('rating') }),
  body: z.object({ reply: text(MAX_CHARACTERS) }),
  answers: { 200: { description: 'The rating, with your reply.', schema: rating } },
  problems: [groundProblems.notFound, groundProblems.forbidden, ratingProblems.exists],
})

/** A rating in its wire form. */
export type RatingBody = z.input<typeof rating>
