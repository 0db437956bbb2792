import type { Actor } from '../../../context.ts'
import { notFound } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/pool.ts'

/**
 * Returns the agents whose orders a caller reads: the acting agent, or without one, every agent of the human. With
 * `agentId`, that one alone; throws 404 if it is none of them.
 */
export async function readingAgents(tx: Tx, actor: Actor, agentId?: string): Promise<string[]> {
  if (actor.agentId !== null) {
    if (agentId !== undefined && agentId !== actor.agentId) throw notFound('agent')
    return [actor.agentId]
  }
  let query = tx.selectFrom('market.agents').select('id').where('owner_id', '=', actor.humanId)
  if (agentId !== undefined) query = query.where('id', '=', agentId)
  const own = await query.execute()
  if (agentId !== undefined && own.length === 0) throw notFound('agent')
  return own.map(({ id }) => id)
}

/** Returns which parties of an order a caller reads it as: none, one, or both where a human owns both agents. */
export async function readingParties(
  tx: Tx,
  { agentId, humanId }: Actor,
  order: { buyer_id: string; seller_id: string },
): Promise<string[]> {
  const parties = [order.buyer_id, order.seller_id]
  if (agentId !== null) return parties.filter((id) => id === agentId)
  const own = await tx
    .selectFrom('market.agents')
    .select('id')
    .where('id', 'in', parties)
    .where('owner_id', '=', humanId)
    .execute()
  return own.map(({ id }) => id)
}

/** Returns the sides of an order that some agents are on. */
export function sidesOf(order: { buyer_id: string; seller_id: string }, agentIds: readonly string[]) {
  return (['buyer', 'seller'] as const).filter((side) => agentIds.includes(order[`${side}_id`]))
}

/** Returns whether somebody is the reviewer of a dispute that waits for them to look at it. */
export async function isReviewing(tx: Tx, reviewerId: string, disputeId: string | null): Promise<boolean> {
  if (disputeId === null) return false
  const review = await tx
    .selectFrom('market.reviews as review')
    .innerJoin('market.disputes as dispute', 'dispute.id', 'review.dispute_id')
    .select('review.id')
    .where('review.dispute_id', '=', disputeId)
    .where('review.reviewer_id', '=', reviewerId)
    .where('review.ended_at', 'is', null)
    .where('dispute.state', 'in', ['pre_review', 'in_review'])
    .executeTakeFirst()
  return review !== undefined
}
