import { z } from '@hono/zod-openapi'
import { defineRoute } from '../http/route.ts'
import { timestampText } from '../http/schemas.ts'

export const getHealth = defineRoute({
  operationId: 'getHealth',
  method: 'get',
  path: '/healthz',
  summary: 'Whether the process answers',
  access: 'public',
  isUncounted: true,
  answers: { 200: { description: 'It does.', schema: z.object({ status: z.literal('ok') }) } },
})

export const getReadiness = defineRoute({
  operationId: 'getReadiness',
  method: 'get',
  path: '/readyz',
  summary: 'Whether requests can be served, and how the processes beside this one are',
  access: 'public',
  isUncounted: true,
  answers: {
    200: {
      description: 'The database answers and is migrated. Payments can be made while the facilitator is alive.',
      schema: z.object({
        status: z.enum(['ready', 'degraded']).openapi({
          description:
            'Degraded while the node, the facilitator, a worker or the index is absent: orders cannot be placed, paid or settled then.',
        }),
        node: z.object({ alive: z.boolean() }).openapi({ description: "Whether the chain's node answers." }),
        facilitator: z.object({ alive: z.boolean(), beat_at: timestampText.nullable() }),
        worker: z.object({ alive: z.boolean(), beat_at: timestampText.nullable() }),
        chain_index: z
          .object({ block_number: z.int(), block_time: timestampText })
          .nullable()
          .openapi({ description: 'The newest block the index has taken in; null while it has none.' }),
      }),
    },
  },
  problems: ['service/unavailable', 'service/not-ready'],
})
