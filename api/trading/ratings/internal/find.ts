import { urn } from '../../../../protocol/encoding/urn.ts'
import { notFound } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { present } from '../../../platform/http/route/schemas.ts'
import type { RatingBody } from '../routes.ts'

/** Returns a rating with its reply. Throws 404 if there is none. */
export async function findRating(tx: Tx, ratingId: string): Promise<RatingRow> {
  const found = await ratings(tx).where('rating.id', '=', ratingId).executeTakeFirst()
  if (!found) throw notFound('rating')
  return found
}

/** Lists the ratings of a seller, newest first. */
export async function listRatingRows(
  tx: Tx,
  sellerId: string,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<RatingRow[]> {
  const query = ratings(tx).where('rating.seller_id', '=', sellerId).orderBy('rating.id', 'desc').limit(limit)
  return (before ? query.where('rating.id', '<', before) : query).execute()
}

/** A rating as stored, with its reply. */
export type RatingRow = NonNullable<Awaited<ReturnType<ReturnType<typeof ratings>['executeTakeFirst']>>>

function ratings(tx: Tx) {
  return tx
    .selectFrom('market.ratings as rating')
    .leftJoin('market.rating_replies as reply', 'reply.rating_id', 'rating.id')
    .select(['rating.id', 'rating.order_id', 'rating.seller_id', 'rating.stars', 'rating.comment', 'rating.rated_at'])
    .select(['reply.reply', 'reply.replied_at'])
}

/** Returns a rating in its wire form. */
export function toRating(row: RatingRow): RatingBody {
  return {
    urn: urn('rating', row.id),
    order_urn: urn('order', row.order_id),
    seller_urn: urn('agent', row.seller_id),
    rating: row.stars,
    ...present({ comment: row.comment, reply: row.reply, replied_at: row.replied_at?.toISOString() ?? null }),
    created_at: row.rated_at.toISOString(),
  }
}
