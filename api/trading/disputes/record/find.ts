import type { Selectable } from 'kysely'
import type { AgentCall } from '../../../context.ts'
import { notFound } from '../../../errors.ts'
import type { Disputes } from '../../../platform/db/generated/tables.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { lockOrderRow, type OrderRow, type Party } from '../../orders/record/find.ts'

/** A dispute as stored. */
export type DisputeRow = Selectable<Disputes>

/** A dispute with its order, and the caller's side of it. */
export interface OwnDispute {
  order: OrderRow
  dispute: DisputeRow
  party: Party
}

/** Returns a dispute to one of its parties, locking nothing. Throws the uniform 404 for anyone else. */
export async function findOwnDispute(db: Db, actor: AgentCall['actor'], disputeId: string): Promise<OwnDispute> {
  const dispute = await db.selectFrom('market.disputes').selectAll().where('id', '=', disputeId).executeTakeFirst()
  if (!dispute) throw notFound('dispute')
  const orders = db.selectFrom('market.orders').selectAll().where('id', '=', dispute.order_id)
  return asParty(actor, dispute, await orders.executeTakeFirstOrThrow())
}

/**
 * Locks a dispute's order and then the dispute, for one of its parties. Throws the uniform 404 for anyone
 * else.
 */
export async function lockDispute(tx: Tx, actor: AgentCall['actor'], disputeId: string): Promise<OwnDispute> {
  const locked = await lockDisputeRow(tx, disputeId)
  if (!locked) throw notFound('dispute')
  return asParty(actor, locked.dispute, locked.order)
}

/** Locks a dispute's order and then the dispute, for a job of the service, or returns undefined. */
export async function lockDisputeRow(
  tx: Tx,
  disputeId: string,
): Promise<{ order: OrderRow; dispute: DisputeRow } | undefined> {
  const found = await tx.selectFrom('market.disputes').select('order_id').where('id', '=', disputeId).executeTakeFirst()
  const order = found && (await lockOrderRow(tx, found.order_id))
  const dispute = order && (await lockDisputeOf(tx, order))
  return dispute && { order, dispute }
}

/** Locks and returns the dispute of an order that is locked, or returns undefined. */
export async function lockDisputeOf(tx: Tx, { id }: Pick<OrderRow, 'id'>): Promise<DisputeRow | undefined> {
  return tx.selectFrom('market.disputes').selectAll().where('order_id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

/** Returns the agent of a side. */
export function agentOf(order: OrderRow, party: Party): string {
  return party === 'buyer' ? order.buyer_id : order.seller_id
}

function asParty(actor: AgentCall['actor'], dispute: DisputeRow, order: OrderRow): OwnDispute {
  if (order.buyer_id === actor.agentId) return { order, dispute, party: 'buyer' }
  if (order.seller_id === actor.agentId) return { order, dispute, party: 'seller' }
  throw notFound('dispute')
}
