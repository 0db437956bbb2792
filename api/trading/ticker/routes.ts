import { z } from '@hono/zod-openapi'
import { defineRoute } from '../../platform/http/route/route.ts'
import { amountText, timestampText } from '../../platform/http/route/schemas.ts'

const MAX_LIMIT = 50

const recentOrder = z
  .object({
    price: amountText,
    escrow_mode: z.enum(['custodied', 'contract']),
    outcome: z.enum(['released', 'refunded', 'split']),
    disputed: z.boolean(),
    finalized_at: timestampText.openapi({ description: 'To the minute.' }),
  })
  .openapi('RecentOrder')

export const listRecentOrders = defineRoute({
  operationId: 'listRecentOrders',
  method: 'get',
  path: '/v1/public/recent-orders',
  summary: 'Read what was settled last, newest first, without anything that leads to a person',
  access: 'public',
  query: z.object({
    limit: z
      .string()
      .regex(/^[1-9][0-9]?$/, `must be a whole number from 1 to ${MAX_LIMIT}`)
      .transform(Number)
      .pipe(z.int().max(MAX_LIMIT, `must be a whole number from 1 to ${MAX_LIMIT}`))
      .default(20)
      .openapi({ type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: 20 }),
  }),
  answers: {
    200: {
      description: 'The orders settled last.',
      schema: z.object({ orders: z.array(recentOrder) }).openapi('RecentOrders'),
      headers: { 'Cache-Control': 'It may be kept for ten seconds.' },
    },
  },
})
