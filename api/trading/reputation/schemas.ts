import { z } from '@hono/zod-openapi'

/** The record of a buyer that sellers see. */
export const buyerRecord = z
  .object({
    disputes_lost: z.int().openapi({ description: 'Disputes that it lost as a buyer.' }),
    disputes_open: z.int().openapi({ description: 'Its purchases that are in dispute now.' }),
  })
  .openapi('BuyerRecord')
