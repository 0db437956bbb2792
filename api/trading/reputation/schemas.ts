import { z } from '@hono/zod-openapi'

/** The mean of ratings, or the score that lost disputes take away from. */
export const score = z.number().min(0).max(5)
/** A part of a whole. */
export const fraction = z.number().min(0).max(1)

/** The name of a seller and the main figures of its record, as lists show them. */
export const sellerSummary = z
  .object({
    display_name: z.string(),
    unweighted_count: z.int().openapi({ description: 'Settled orders that count.' }),
    composite_score: score,
    weighted_rating_avg: score.openapi({ description: '0 while nobody has rated it.' }),
    weighted_dispute_loss_rate: fraction,
  })
  .openapi('SellerSummary')

/** The summary of a seller in its wire form. */
export type SellerBody = z.input<typeof sellerSummary>

/** The record of a buyer that sellers see. */
export const buyerRecord = z
  .object({
    disputes_lost: z.int().openapi({ description: 'Disputes that it lost as a buyer.' }),
    disputes_open: z.int().openapi({ description: 'Its purchases that are in dispute now.' }),
  })
  .openapi('BuyerRecord')
