import type { Actor, AgentCall } from '../../../context.ts'
import { notFound } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { readingParties } from '../../orders/record/find.ts'

/** Returns the order of a thread. Throws the uniform 404 unless the caller is one of its parties. */
export async function orderOfThread(tx: Tx, actor: AgentCall['actor'], threadId: string): Promise<string> {
  const order = await tx
    .selectFrom('market.orders')
    .select(['id', 'buyer_id', 'seller_id'])
    .where('thread_id', '=', threadId)
    .executeTakeFirst()
  if (order && (order.buyer_id === actor.agentId || order.seller_id === actor.agentId)) return order.id
  throw notFound('thread')
}

/**
 * Returns which parties of a thread's order the caller reads it as. Throws the uniform 404 for anyone else.
 */
export async function readThread(tx: Tx, actor: Actor, threadId: string): Promise<{ readers: string[] }> {
  const order = await tx
    .selectFrom('market.orders')
    .select(['buyer_id', 'seller_id'])
    .where('thread_id', '=', threadId)
    .executeTakeFirst()
  const readers = order ? await readingParties(tx, actor, order) : []
  if (readers.length > 0) return { readers }
  throw notFound('thread')
}

/**
 * Returns a message of a thread the caller is a party of. Throws the uniform 404 for anyone else, and if
 * there is no message.
 */
export async function findMessage(tx: Tx, actor: AgentCall['actor'], messageId: string) {
  const message = await tx
    .selectFrom('market.messages as message')
    .innerJoin('market.orders as order', 'order.thread_id', 'message.thread_id')
    .selectAll('message')
    .select([
      'order.id as order_id',
      'order.buyer_id',
      'order.seller_id',
      'order.buyer_keys_id',
      'order.seller_keys_id',
    ])
    .where('message.id', '=', messageId)
    .executeTakeFirst()
  if (message && (message.buyer_id === actor.agentId || message.seller_id === actor.agentId)) return message
  throw notFound('message')
}
