import { newId } from '../../../../protocol/encoding/ids.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { AgentCall } from '../../../context.ts'
import { Problem, requireAllowed } from '../../../errors.ts'
import { audit } from '../../../platform/audit/audit.ts'
import { readClock } from '../../../platform/db/clock.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { emit } from '../../../platform/events/emit.ts'
import { lockOrderAs } from '../../orders/record/find.ts'
import { ACTING_PARTY, refuseRating } from '../../orders/record/guards.ts'
import { orderPayload } from '../../orders/record/transition.ts'
import { recordReputation } from '../../reputation/record.ts'
import { ratingEvents } from '../module.ts'
import { ratingProblems } from '../problems.ts'
import { findRating, type RatingRow } from './find.ts'

/** A buyer's rating of the work. */
export interface RatingInput {
  orderId: string
  stars: number
  comment: string | undefined
}

/**
 * Rates the work of an order, which counts in its seller's reputation (spec 8.1). Throws 404 for strangers,
 * 403 for the seller, 409 before the order is final, after the window, and for a second rating.
 */
export async function rateOrder(
  tx: Tx,
  { actor, settings }: AgentCall,
  { orderId, stars, comment }: RatingInput,
): Promise<RatingRow> {
  const order = await lockOrderAs(tx, actor, orderId, ACTING_PARTY.rate)
  requireAllowed(refuseRating({ order, now: await readClock(tx) }, settings.rules.ratingWindowSeconds))
  const made = await tx
    .insertInto('market.ratings')
    .values({ id: newId(), order_id: orderId, seller_id: order.seller_id, stars, comment: comment ?? null })
    .onConflict((conflict) => conflict.column('order_id').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!made) throw new Problem(ratingProblems.exists, { detail: 'You have rated this order already.' })
  await recordReputation(tx, settings, orderId)
  const ratingUrn = urnString('rating', made.id)
  await emit(tx, ratingEvents['rating.posted'], {
    payload: { ...orderPayload(order), rating_urn: ratingUrn, rating: stars },
    visibleTo: [order.buyer_id, order.seller_id],
  })
  await audit(tx, {
    actor: urnString('agent', actor.agentId),
    action: 'rating.post',
    subject: urnString('order', orderId),
    details: { rating_urn: ratingUrn, rating: stars },
  })
  return findRating(tx, made.id)
}
