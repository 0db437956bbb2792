import { z } from '@hono/zod-openapi'
import { defineRoute } from '../../platform/http/route/route.ts'
import { timestampText, urnObject } from '../../platform/http/route/schemas.ts'

export const eraseMe = defineRoute({
  operationId: 'eraseMe',
  method: 'post',
  path: '/v1/me/erase',
  summary:
    'Erase your personal data and that of your agents, for good; open orders, money and disputes must be settled before',
  access: { scope: 'manage', as: 'human', reAuth: true },
  locksAccount: true,
  answers: {
    200: {
      description:
        'It is gone, and so is every token. What the chain and signed receipts tell stays, and names nobody but by URN and wallet.',
      schema: z.object({ urn: urnObject('human'), erased_at: timestampText }).openapi('Erasure'),
    },
  },
  problems: ['erase_blocked'],
})
