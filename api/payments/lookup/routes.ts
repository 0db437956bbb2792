import { z } from '@hono/zod-openapi'
import { groundProblems } from '../../errors.ts'
import { defineRoute } from '../../platform/http/route/route.ts'
import { addressSchema } from '../../platform/http/route/schemas.ts'

const nonceSchema = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, 'must be 32 bytes of hex: 0x and 64 digits')
  .transform((text) => text.toLowerCase())
const payment = z
  .object({
    state: z.enum(['pending', 'settled', 'failed']).openapi({
      description: 'Pending until the chain has confirmed it. Failed: it was not made, and is not tried again.',
    }),
    transaction: z.string().nullable().openapi({ description: 'Of a settled payment.' }),
    log_index: z.int().nullable().openapi({ description: 'The place of its event in the block.' }),
  })
  .openapi('PublicPayment')

export const getPublicPayment = defineRoute({
  operationId: 'getPublicPayment',
  method: 'get',
  path: '/v1/public/payments/{from}/{nonce}',
  summary: 'Read whether a signed payment went through, by what the chain shows of it; no order and no party',
  access: 'public',
  params: z.object({
    from: addressSchema.openapi({ description: 'The wallet that signed it.' }),
    nonce: nonceSchema.openapi({
      description: 'The nonce of its authorization (EIP-3009).',
      example: `0x6d6b7431${'0'.repeat(56)}`,
    }),
  }),
  answers: { 200: { description: 'What became of the payment.', schema: payment } },
  problems: [groundProblems.notFound],
})
