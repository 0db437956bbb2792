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
