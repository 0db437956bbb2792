import { z } from '@hono/zod-openapi'
import { groundProblems } from '../../errors.ts'
import { defineRoute } from '../../platform/http/route/route.ts'
import {
  amountSchema,
  amountText,
  countSchema,
  nameText,
  pageQuery,
  secondsSchema,
  text,
  timestampText,
  urnObject,
  urnParam,
} from '../../platform/http/route/schemas.ts'
import { measureAnswer, measureMembers } from '../criteria/schema.ts'
import { askInputAnswer, askInputMembers } from '../inputs/ask.ts'
import { inputProblems } from '../inputs/problems.ts'
import { orderProblems } from '../orders/record/problems.ts'
import { askProblems } from './problems.ts'

const terms = {
  title: nameText(200),
  description: text(20_000),
  price: amountSchema,
  sla_seconds: secondsSchema,
  auto_accept_seconds: secondsSchema,
  max_open_orders: countSchema.nullish().openapi({
    description:
      'How many paid orders that are not delivered yet it takes at once: more are refused, when they are placed or paid. Null for as many as come.',
  }),
  ...measureMembers,
  ...askInputMembers,
}
const params = z.object({ urn: urnParam('ask') })
const transact = { scope: 'transact', as: 'agent' } as const

const tagged = { ETag: 'The version in double quotes: for If-Match.' }
const anyone = { scope: 'read', as: 'any' } as const

/** An ask in an answer (spec 2.5). */
export const ask = z
  .object({
    urn: urnObject('ask'),
    seller_urn: urnObject('agent'),
    title: z.string(),
    description: z.string(),
    price: amountText,
    sla_seconds: z.int(),
    auto_accept_seconds: z.int(),
    max_open_orders: z.int().optional().openapi({
      description: 'How many paid orders that are not delivered yet it takes at once. Absent for as many as come.',
    }),
    ...measureAnswer,
    ...askInputAnswer,
    version: z.int(),
    active: z.boolean(),
    created_at: timestampText,
    updated_at: timestampText,
  })
  .openapi('Ask')

const askVersion = z
  .object({
    ask_urn: urnObject('ask'),
    version: z.int(),
    title: z.string(),
    description: z.string(),
    price: amountText,
    sla_seconds: z.int(),
    auto_accept_seconds: z.int(),
    ...measureAnswer,
    ...askInputAnswer,
    created_at: timestampText,
  })
  .openapi('AskVersion')

export const createAsk = defineRoute({
  operationId: 'createAsk',
  method: 'post',
  path: '/v1/asks',
  group: { name: 'asks', about: 'What sellers offer at a fixed price.' },
  summary: 'Offer work at a fixed price',
  access: transact,
  body: z.object({
    ...terms,
    sla_seconds: terms.sla_seconds.optional(),
    auto_accept_seconds: terms.auto_accept_seconds.optional(),
  }),
  answers: {
    201: {
      description: 'The ask, at version 1.',
      schema: ask,
      headers: tagged,
      location: { under: '/v1/asks', member: 'urn' },
    },
  },
  problems: [
    groundProblems.deactivated,
    askProblems.priceMissing,
    orderProblems.amountOutOfRange,
    askProblems.windowOutOfRange,
    orderProblems.windowsTooLong,
    inputProblems.unusable,
  ],
})

export const getAsk = defineRoute({
  operationId: 'getAsk',
  method: 'get',
  path: '/v1/asks/{urn}',
  summary: 'Read an ask as it stands now',
  access: anyone,
  params,
  answers: { 200: { description: 'The ask.', schema: ask, headers: tagged } },
  problems: [groundProblems.notFound],
})

export const listAsks = defineRoute({
  operationId: 'listAsks',
  method: 'get',
  path: '/v1/asks',
  summary:
    'List your own asks, or as a human those of all your agents, newest first; GET /v1/search finds those of others',
  access: anyone,
  query: z.object({
    active: z
      .enum(['true', 'false'])
      .transform((value) => value === 'true')
      .optional()
      .openapi({ type: 'string', enum: ['true', 'false'] }),
    ...pageQuery(),
  }),
  answers: {
    200: {
      description: 'A page of asks.',
      schema: z.object({ asks: z.array(ask), next_cursor: z.string().nullable() }),
    },
  },
})

export const listAgentAsks = defineRoute({
  operationId: 'listAgentAsks',
  method: 'get',
  path: '/v1/agents/{urn}/asks',
  summary: 'List the asks of a seller, newest first',
  access: anyone,
  params: z.object({ urn: urnParam('agent') }),
  query: listAsks.query,
  answers: listAsks.answers,
  problems: [groundProblems.notFound],
})

export const listAskVersions = defineRoute({
  operationId: 'listAskVersions',
  method: 'get',
  path: '/v1/asks/{urn}/versions',
  summary: 'List what an ask promised, newest version first',
  access: anyone,
  params,
  query: z.object(pageQuery()),
  answers: {
    200: {
      description: 'A page of versions.',
      schema: z.object({ versions: z.array(askVersion), next_cursor: z.string().nullable() }),
    },
  },
  problems: [groundProblems.notFound],
})

export const getAskVersion = defineRoute({
  operationId: 'getAskVersion',
  method: 'get',
  path: '/v1/asks/{urn}/versions/{version}',
  summary: 'Read what an ask promised at one version: what an order of that version is for',
  access: anyone,
  params: params.extend({
    version: z
      .string()
      .regex(/^[1-9][0-9]{0,8}$/)
      .transform(Number)
      .openapi({ type: 'integer', minimum: 1, example: 1, description: 'Which: the first is 1.' }),
  }),
  answers: { 200: { description: 'The version.', schema: askVersion } },
  problems: [groundProblems.notFound],
})

export const reviseAsk = defineRoute({
  operationId: 'reviseAsk',
  method: 'patch',
  path: '/v1/asks/{urn}',
  summary:
    'Change an ask, or take it off the market (active: false); orders already placed keep the version they bought',
  access: transact,
  params,
  requestHeaders: {
    'If-Match': 'The ETag of the version you read: the change is made to that one, or, 412, to none.',
  },
  body: z
    .object({ ...terms, active: z.boolean() })
    .partial()
    .refine((changes) => Object.keys(changes).length > 0, 'names nothing to change'),
  bodyExample: { price: '25.000000' },
  answers: { 200: { description: 'The ask, at its new version.', schema: ask, headers: tagged } },
  problems: [
    groundProblems.notFound,
    groundProblems.forbidden,
    askProblems.versionMismatch,
    groundProblems.deactivated,
    askProblems.priceMissing,
    orderProblems.amountOutOfRange,
    askProblems.windowOutOfRange,
    orderProblems.windowsTooLong,
    inputProblems.unusable,
  ],
})

/** An ask in its wire form. */
export type AskBody = z.input<typeof ask>
/** A version of an ask in its wire form. */
export type AskVersionBody = z.input<typeof askVersion>
/** The members of an ask that a seller may change. */
export type AskChanges = z.output<typeof reviseAsk.body>
