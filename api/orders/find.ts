import type { Selectable } from 'kysely'
import type { AgentCall } from '../context.ts'
import type { Tx } from '../db/pool.ts'
import type { Orders } from '../db/schema/orders.ts'
import { notFound, Problem } from '../errors.ts'

/** An order as its row holds it. */
export type OrderRow = Selectable<Orders>

/** The two sides of an order. */
export type Party = 'buyer' | 'seller'

/** The side of an order an account is on. Throws the uniform 404 for anyone else, and for no order. */
function partyOf(order: OrderRow | undefined, actor: AgentCall['actor']): { order: OrderRow; party: Party } {
  if (order && order.buyer_id === actor.agentId) return { order, party: 'buyer' }
  if (order && order.seller_id === actor.agentId) return { order, party: 'seller' }
  throw notFound('order')
}

/** An order one of its parties reads. */
export async function readOrder(tx: Tx, actor: AgentCall['actor'], orderId: string) {
  const order = await tx.selectFrom('market.orders').selectAll().where('id', '=', orderId).executeTakeFirst()
  return partyOf(order, actor)
}

/**
 * An order one of its parties is about to change, locked until the transaction ends: what is checked on it stays true.
 * The lock leaves foreign keys to the order alone.
 */
export async function lockOrder(tx: Tx, actor: AgentCall['actor'], orderId: string) {
  return partyOf(await lockOrderRow(tx, orderId), actor)
}

/** An order only one side may change. Throws 404 to strangers and 403 to the other side. */
export async function lockOrderAs(tx: Tx, actor: AgentCall['actor'], orderId: string, role: Party): Promise<OrderRow> {
  const { order, party } = await lockOrder(tx, actor, orderId)
  if (party !== role) {
    throw new Problem('auth/forbidden', { detail: `Only the ${role} of this order may do this; you are its ${party}.` })
  }
  return order
}

/** An order locked for a job of the service, or undefined. */
export async function lockOrderRow(tx: Tx, orderId: string): Promise<OrderRow | undefined> {
  return tx.selectFrom('market.orders').selectAll().where('id', '=', orderId).forNoKeyUpdate().executeTakeFirst()
}
