import { z } from '@hono/zod-openapi'
import { groundProblems } from '../../errors.ts'
import { defineRoute } from '../../platform/http/route/route.ts'
import { timestampText, urnObject } from '../../platform/http/route/schemas.ts'
import { erasureProblems } from './problems.ts'

export const eraseMe = defineRoute({
  operationId: 'eraseMe',
  method: 'post',
  path: '/v1/me/erase',
  summary:
    'Have your personal data and that of your agents erased, for good; open orders, money and disputes must be settled before',
  access: { scope: 'manage', as: 'human', reAuth: true },
  answers: {
    202: {
      description:
        'You are notified by every channel, and can cancel until the worker erases you, from erase_at on. Then every token is gone too. ' +
        'What the chain and signed receipts tell stays, and names nobody but by URN and wallet.',
      schema: z.object({ urn: urnObject('human'), erase_at: timestampText }).openapi('Erasure'),
    },
  },
  problems: [erasureProblems.eraseBlocked],
})

export const cancelErasure = defineRoute({
  operationId: 'cancelErasure',
  method: 'delete',
  path: '/v1/me/erase',
  summary: 'Cancel the erasure of your account',
  access: { scope: 'manage', as: 'human' },
  answers: { 204: { description: 'You are not erased. You are notified of it by every channel.' } },
  problems: [groundProblems.notFound],
})
