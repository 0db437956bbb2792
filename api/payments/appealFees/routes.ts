import { z } from '@hono/zod-openapi'
import { defineRoute } from '../../platform/http/route/route.ts'
import { pageQuery } from '../../platform/http/route/schemas.ts'

export const listAppealFees = defineRoute({
  operationId: 'listAppealFees',
  method: 'get',
  path: '/v1/public/appeal-fees',
  summary:
    'Read which deposits were fees of appeals: an audit derives their nonces, and counts them as no order’s money',
  access: 'public',
  query: z.object(pageQuery()),
  answers: {
    200: {
      description: 'A page of keys, oldest first. A key leads to its fee on the chain, and nobody to the dispute.',
      schema: z
        .object({
          appeals: z.array(z.string().openapi({ pattern: '^0x[0-9a-f]{64}$' })),
          next_cursor: z.string().nullable(),
        })
        .openapi('AppealFees'),
    },
  },
})
