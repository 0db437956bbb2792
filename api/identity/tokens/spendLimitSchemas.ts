import { z } from '@hono/zod-openapi'
import { amountSchema, amountText } from '../../platform/http/route/schemas.ts'

const PER_ORDER = 'The most that one payment may be. Null is no limit.'
const PER_DAY = 'The most that the payments of a day (UTC) may be together. Null is no limit.'

/** A spend limit in a request. Both members are required, so that omitting one does not remove that limit. */
export const spendLimitSchema = z.object({
  per_order: amountSchema.nullable().openapi({ description: PER_ORDER }),
  per_day: amountSchema.nullable().openapi({ description: PER_DAY }),
})

/** A spend limit in an answer. */
export const spendLimit = z
  .object({
    per_order: amountText.nullable().openapi({ description: PER_ORDER }),
    per_day: amountText.nullable().openapi({ description: PER_DAY }),
  })
  .openapi('SpendLimit')
