import { z } from '@hono/zod-openapi'
import { defineRoute } from '../platform/http/route/route.ts'
import { amountText, timestampText } from '../platform/http/route/schemas.ts'
import { httpProblems } from '../platform/http/serve/problems.ts'

const process = z.object({ alive: z.boolean(), beat_at: timestampText.nullable() })
const readiness = z.object({
  status: z.enum(['ready', 'degraded']).openapi({
    description:
      'Degraded while the node, the facilitator, a worker or the index is absent or stands still: orders cannot be placed, paid or settled then.',
  }),
  ailing: z
    .array(
      z.object({
        part: z.enum(['node', 'facilitator', 'worker', 'chain_index', 'redis']),
        detail: z.string(),
      }),
    )
    .openapi({ description: 'What is absent, hangs or stands still; empty while the service is ready.' }),
  node: z.object({ alive: z.boolean() }).openapi({ description: "Whether the chain's node answers." }),
  facilitator: process,
  worker: process,
  chain_index: z
    .object({
      block_number: z.int(),
      block_time: timestampText,
      behind_seconds: z.int().openapi({ description: 'How long it has lacked the next block; 0 while it lacks none.' }),
    })
    .nullable()
    .openapi({ description: 'The newest block the index has taken in; null while it has none.' }),
})

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
      schema: readiness,
    },
  },
  problems: [httpProblems.unavailable, httpProblems.notReady],
})

export const getOperatorStatus = defineRoute({
  operationId: 'getOperatorStatus',
  method: 'get',
  path: '/v1/operator/status',
  summary: 'Operators: how the processes are, how far each is behind, what waits, and what stands still',
  access: { scope: 'read', as: 'operator' },
  answers: {
    200: {
      description: 'As it is now. Balances of the accounts that pay for gas are known to the facilitator alone.',
      schema: readiness
        .extend({
          version: z.string().openapi({ description: 'The version of the api that answers.' }),
          schema: z.string().nullable().openapi({ description: 'The newest migration of the database.' }),
          reconciliation: z
            .object({
              ok: z.boolean(),
              lag_blocks: z.int().nullable(),
              lag_seconds: z.int().nullable(),
              age_seconds: z.number(),
              findings: z.int(),
            })
            .nullable()
            .openapi({ description: 'The last comparison of the ledger with the chain; null before the first.' }),
          is_fence_open: z.boolean().openapi({
            description: 'Whether it is known what the chain did before the database started; nothing is paid before.',
          }),
          stops: z.object({ hot_wallet: z.int(), escrow: z.int() }).openapi({ description: 'Stops that stand.' }),
          queues: z.object({
            intents: z.int().openapi({ description: 'What the facilitator was asked and has not ended.' }),
            payouts: z.int().openapi({ description: 'Payouts that are to be sent.' }),
            webhook_deliveries: z.int().openapi({ description: 'Deliveries of webhooks that have not ended.' }),
          }),
          webhook_lag_seconds: z.number().openapi({
            description: 'How long the oldest delivery waits that was never tried, of webhooks that do not fail.',
          }),
          hot_wallet: z
            .object({ balance: amountText, due: amountText, is_below_floor: z.boolean() })
            .nullable()
            .openapi({ description: 'What it holds at confirmed depth, and what is to be paid out of it.' }),
        })
        .openapi('OperatorStatus'),
    },
  },
  problems: [httpProblems.notReady],
})
