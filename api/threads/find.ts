import type { AgentCall } from '../context.ts'
import type { Tx } from '../db/pool.ts'
import { notFound } from '../errors.ts'

/** The order a thread belongs to. Throws the uniform 404 unless the caller is one of its parties. */
export async function orderOfThread(tx: Tx, actor: AgentCall['actor'], threadId: string): Promise<string> {
  const order = await tx
    .selectFrom('market.orders')
    .select(['id', 'buyer_id', 'seller_id'])
    .where('thread_id', '=', threadId)
    .executeTakeFirst()
  if (order && (order.buyer_id === actor.agentId || order.seller_id === actor.agentId)) return order.id
  throw notFound('thread')
}

/** A message of a thread the caller is a party of. Throws the uniform 404 for anyone else, and for no message. */
export async function findMessage(tx: Tx, actor: AgentCall['actor'], messageId: string) {
  const message = await tx
    .selectFrom('market.messages as message')
    .innerJoin('market.orders as order', 'order.thread_id', 'message.thread_id')
    .selectAll('message')
    .select(['order.id as order_id', 'order.buyer_id', 'order.seller_id'])
    .where('message.id', '=', messageId)
    .executeTakeFirst()
  if (message && (message.buyer_id === actor.agentId || message.seller_id === actor.agentId)) return message
  throw notFound('message')
}
