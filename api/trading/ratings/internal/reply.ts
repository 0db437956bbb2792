import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { AgentCall } from '../../../context.ts'
import { groundProblems, Problem } from '../../../errors.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { ratingProblems } from '../problems.ts'
import { findRating, type RatingRow } from './find.ts'

/**
 * Adds the seller's answer to a rating. Throws 404 for no rating, 403 for anyone but the seller, 409 for a
 * second answer.
 */
export async function replyToRating(tx: Tx, { actor }: AgentCall, ratingId: string, reply: string): Promise<RatingRow> {
  const rating = await findRating(tx, ratingId)
  if (rating.seller_id !== actor.agentId) {
    throw new Problem(groundProblems.forbidden, { detail: 'Only the seller of the rated work can answer a rating.' })
  }
  const made = await tx
    .insertInto('market.rating_replies')
    .values({ rating_id: ratingId, reply })
    .onConflict((conflict) => conflict.column('rating_id').doNothing())
    .returning('rating_id')
    .executeTakeFirst()
  if (!made) throw new Problem(ratingProblems.exists, { detail: 'You have answered this rating already.' })
  await audit(tx, {
    actor: urnString('agent', actor.agentId),
    action: 'rating.reply',
    subject: urnString('order', rating.order_id),
    details: { rating_urn: urnString('rating', ratingId) },
  })
  return findRating(tx, ratingId)
}
