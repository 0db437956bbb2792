import { serve } from '../../platform/http/serve/serve.ts'
import { findRating, listRatingRows, toRating } from './internal/find.ts'
import { rateOrder as rate } from './internal/rate.ts'
import { replyToRating as reply } from './internal/reply.ts'
import { getRating, listRatings, rateOrder, replyToRating } from './routes.ts'

export const ratingHandlers = [
  serve(rateOrder, async (tx, call, { body }) => {
    const { order_urn: orderId, rating: stars, comment } = body
    return { status: 201 as const, body: toRating(await rate(tx, call, { orderId, stars, comment })) }
  }),

  serve(listRatings, async (tx, _call, { query, list }) => {
    const sellerId = query.seller_urn
    const { items: ratings, next_cursor } = await list.read(
      ({ from, limit }) => listRatingRows(tx, sellerId, { before: from, limit }),
      toRating,
    )
    return { status: 200, body: { ratings, next_cursor } }
  }),

  serve(getRating, async (tx, _call, { params }) => ({
    status: 200 as const,
    body: toRating(await findRating(tx, params.urn)),
  })),

  serve(replyToRating, async (tx, call, { params, body }) => ({
    status: 200 as const,
    body: toRating(await reply(tx, call, params.urn, body.reply)),
  })),
]
