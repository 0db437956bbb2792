import type { Selectable } from 'kysely'
import type { Actor, AgentCall } from '../../../context.ts'
import { groundProblems, notFound, Problem } from '../../../errors.ts'
import type { Orders } from '../../../platform/db/generated/tables.ts'
import type { Tx } from '../../../platform/db/pool.ts'

/** An order as stored. */
export type OrderRow = Selectable<Orders>

/** The two parties of an order. */
export type Party = 'buyer' | 'seller'

/**
 * Returns the order and the role of an account in it. Throws the uniform 404 for anyone else, and if there is
 * no order.
 */
function partyOf(order: OrderRow | undefined, actor: AgentCall['actor']): { order: OrderRow; party: Party } {
  if (order && order.buyer_id === actor.agentId) return { order, party: 'buyer' }
  if (order && order.seller_id === actor.agentId) return { order, party: 'seller' }
  throw notFound('order')
}

/** Returns an order to one of its parties. */
export async function readOrder(tx: Tx, actor: AgentCall['actor'], orderId: string) {
  const order = await tx.selectFrom('market.orders').selectAll().where('id', '=', orderId).executeTakeFirst()
  return partyOf(order, actor)
}

/**
 * Locks and returns an order before one of its parties changes it, so that what is checked on it stays true
 * until the transaction ends. The lock does not block inserts that refer to the order.
 */
export async function lockOrder(tx: Tx, actor: AgentCall['actor'], orderId: string) {
  return partyOf(await lockOrderRow(tx, orderId), actor)
}

/**
 * Locks and returns an order that only one party may change. Throws 404 for strangers and 403 for the other
 * party.
 */
export async function lockOrderAs(tx: Tx, actor: AgentCall['actor'], orderId: string, role: Party): Promise<OrderRow> {
  const { order, party } = await lockOrder(tx, actor, orderId)
  if (party !== role) {
    throw new Problem(groundProblems.forbidden, {
      detail: `Only the ${role} of this order may do this; you are its ${party}.`,
    })
  }
  return order
}

/** Locks and returns an order for a job of the service, or returns undefined. */
export async function lockOrderRow(tx: Tx, orderId: string): Promise<OrderRow | undefined> {
  return tx.selectFrom('market.orders').selectAll().where('id', '=', orderId).forNoKeyUpdate().executeTakeFirst()
}

/**
 * Returns which parties of an order a caller reads it as: none, one, or both where a human owns both agents.
 */
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
