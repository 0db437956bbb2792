import { z } from '@hono/zod-openapi'
import { defineRoute } from '../../platform/http/route/route.ts'
import { amountText } from '../../platform/http/route/schemas.ts'
import { disputeState } from '../disputes/schemas.ts'
import { orderState } from '../orders/record/schemas.ts'

const MAX_DAYS = 90

const sums = z.object({
  paid_orders: z.int(),
  paid: amountText.openapi({ description: 'What buyers paid for these orders.' }),
  ended_orders: z.int().openapi({ description: 'Orders whose money was distributed.' }),
  refunded: amountText,
  to_sellers: amountText,
  fees: amountText,
})

export const readTotals = defineRoute({
  operationId: 'readOperatorTotals',
  method: 'get',
  path: '/v1/operator/totals',
  summary: 'Operators: what the last days came to, and what is open now',
  access: { scope: 'read', as: 'operator' },
  query: z.object({
    days: z
      .string()
      .regex(/^[1-9][0-9]?$/, `must be a whole number from 1 to ${MAX_DAYS}`)
      .transform(Number)
      .pipe(z.int().max(MAX_DAYS, `must be a whole number from 1 to ${MAX_DAYS}`))
      .default(30)
      .openapi({ type: 'integer', minimum: 1, maximum: MAX_DAYS, default: 30 }),
  }),
  answers: {
    200: {
      description: 'Days are UTC, and the last one is today. Nothing in it leads to a person.',
      schema: z
        .object({
          days: z.array(sums.extend({ day: z.iso.date() })),
          period: sums.openapi({ description: 'All these days.' }),
          open_orders: z
            .array(z.object({ state: orderState, orders: z.int(), amount: amountText }))
            .openapi({ description: 'Orders that have not ended, with their prices: once paid, what is held for them.' }),
          disputes: z.array(z.object({ state: disputeState, disputes: z.int() })).openapi({
            description: 'Open disputes by state, and those that were closed in these days.',
          }),
          time_to_final: z
            .object({ orders: z.int(), median_seconds: z.int(), p90_seconds: z.int() })
            .nullable()
            .openapi({
              description:
                'From payment to the distribution of the money, of at most the last 1,000 orders in these days. Null without one.',
            }),
        })
        .openapi('OperatorTotals'),
    },
  },
})
