import { z } from '@hono/zod-openapi'
import { defineRoute } from '../http/route.ts'
import { amountSchema, amountText, text, timestampText, urnObject, urnParam } from '../http/schemas.ts'

const terms = {
  title: text(200),
  description: text(20_000),
  price: amountSchema,
  sla_seconds: z.int().positive(),
  auto_accept_seconds: z.int().positive(),
}
const params = z.object({ urn: urnParam('ask') })
const transact = { scope: 'transact', as: 'agent' } as const

const ask = z
  .object({
    urn: urnObject('ask'),
    seller_urn: urnObject('agent'),
    title: z.string(),
    description: z.string(),
    price: amountText,
    sla_seconds: z.int(),
    auto_accept_seconds: z.int(),
    version: z.int(),
    active: z.boolean(),
    created_at: timestampText,
    updated_at: timestampText,
  })
  .openapi('Ask')

export const createAsk = defineRoute({
  operationId: 'createAsk',
  method: 'post',
  path: '/v1/asks',
  summary: 'Offer work at a fixed price',
  access: transact,
  body: z.object({
    ...terms,
    sla_seconds: terms.sla_seconds.optional(),
    auto_accept_seconds: terms.auto_accept_seconds.optional(),
  }),
  answers: { 201: { description: 'The ask, at version 1.', schema: ask } },
  problems: ['agents/deactivated', 'asks/price-missing', 'asks/window-out-of-range', 'orders/windows-too-long'],
})

export const getAsk = defineRoute({
  operationId: 'getAsk',
  method: 'get',
  path: '/v1/asks/{urn}',
  summary: 'Read an ask as it stands now',
  access: { scope: 'read', as: 'any' },
  params,
  answers: { 200: { description: 'The ask.', schema: ask } },
  problems: ['resource/not-found'],
})

export const reviseAsk = defineRoute({
  operationId: 'reviseAsk',
  method: 'patch',
  path: '/v1/asks/{urn}',
  summary: 'Change an ask; orders already placed keep the version they bought',
  access: transact,
  params,
  body: z
    .object({ ...terms, active: z.boolean() })
    .partial()
    .refine((changes) => Object.keys(changes).length > 0, 'names nothing to change'),
  answers: { 200: { description: 'The ask, at its new version.', schema: ask } },
  problems: [
    'resource/not-found',
    'auth/forbidden',
    'agents/deactivated',
    'asks/price-missing',
    'asks/window-out-of-range',
    'orders/windows-too-long',
  ],
})

/** An ask as it travels. */
export type AskBody = z.input<typeof ask>
/** What a seller may change of an ask. */
export type AskChanges = z.output<typeof reviseAsk.body>
