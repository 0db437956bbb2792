import type { Selectable } from 'kysely'
import type { CallContext } from '../../../context.ts'
import { notFound, requireAllowed } from '../../../errors.ts'
import type { Database } from '../../../platform/db/generated/tables.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import type { OrderRow } from '../../orders/record/find.ts'
import { type DisputeRow, lockDisputeRow } from '../record/find.ts'
import { refuseState } from '../record/guards.ts'

/** An assignment of a reviewer, as stored. */
export type ReviewRow = Selectable<Database['market.reviews']>

/** A dispute, and the caller's assignment to it. */
export interface OwnReview {
  order: OrderRow
  dispute: DisputeRow
  review: ReviewRow
}

/** Locks a dispute for a reviewer who is assigned to it. Throws the uniform 404 for every other operator. */
export async function lockReview(tx: Tx, { actor }: CallContext, disputeId: string): Promise<OwnReview> {
  const locked = await lockDisputeRow(tx, disputeId)
  const review =
    locked &&
    (await tx
      .selectFrom('market.reviews')
      .selectAll()
      .where('dispute_id', '=', disputeId)
      .where('reviewer_id', '=', actor.humanId)
      .where('ended_at', 'is', null)
      .executeTakeFirst())
  if (!locked || !review) throw notFound('dispute')
  return { ...locked, review }
}

/**
 * The same, while the case is to be read. Throws 409 unless it is in review or awaits a look at flagged text.
 */
export async function lockOpenReview(tx: Tx, call: CallContext, disputeId: string): Promise<OwnReview> {
  const own = await lockReview(tx, call, disputeId)
  requireAllowed(refuseState(own.dispute, ['pre_review', 'in_review']))
  return own
}

/** Lists the open cases of a reviewer: the highest price first, at the same price the oldest first. */
export async function listCases(tx: Tx, reviewerId: string) {
  return tx
    .selectFrom('market.reviews as review')
    .innerJoin('market.disputes as dispute', 'dispute.id', 'review.dispute_id')
    .innerJoin('market.orders as order', 'order.id', 'dispute.order_id')
    .select([
      'dispute.id',
      'dispute.state',
      'dispute.due_at',
      'dispute.flags',
      'order.price_micros',
      'review.assigned_at',
      'review.read_at',
    ])
    .where('review.reviewer_id', '=', reviewerId)
    .where('review.ended_at', 'is', null)
    .where('review.decided_at', 'is', null)
    .where('dispute.state', 'in', ['pre_review', 'in_review'])
    .orderBy('order.price_micros', 'desc')
    .orderBy('review.id')
    .execute()
}
