import { parseUrn, urnString } from '../../../protocol/encoding/urn.ts'
import type { Tx } from '../../platform/db/pool.ts'
import type { EventReceived } from '../../platform/events/announcements.ts'
import { emit } from '../../platform/events/emit.ts'
import { orderPayload } from '../orders/record/transition.ts'
import { deliveryEvents } from './module.ts'

/**
 * Records that a delivery notice has reached its buyer, if the account that received it is the buyer or its
 * owner.
 */
export async function notifyBuyer(tx: Tx, { accountId, event }: EventReceived): Promise<void> {
  if (event.event_type !== 'delivery.notice') return
  const messageId = parseUrn('message', String(event.payload.message_urn))
  if (messageId === undefined) return
  const order = await tx
    .selectFrom('market.delivery_notices as notice')
    .innerJoin('market.orders', 'market.orders.id', 'notice.order_id')
    .innerJoin('market.agents as buyer', 'buyer.id', 'market.orders.buyer_id')
    .selectAll('market.orders')
    .where('notice.message_id', '=', messageId)
    .where((where) => where.or([where('buyer.id', '=', accountId), where('buyer.owner_id', '=', accountId)]))
    .executeTakeFirst()
  if (!order) return
  const { numInsertedOrUpdatedRows: isFirst } = await tx
    .insertInto('market.delivery_notifications')
    .values({ message_id: messageId })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  if (!isFirst) return
  await emit(tx, deliveryEvents['delivery.notified'], {
    payload: { ...orderPayload(order), message_urn: urnString('message', messageId) },
    visibleTo: [order.buyer_id, order.seller_id],
  })
}

/** Records that an agent reads a thread: its notices have reached the agent, if it is the buyer. */
export async function notifyReader(tx: Tx, threadId: string, agentId: string): Promise<void> {
  const notices = await tx
    .selectFrom('market.threads as thread')
    .innerJoin('market.delivery_notices as notice', 'notice.order_id', 'thread.order_id')
    .innerJoin('market.orders as traded', 'traded.id', 'thread.order_id')
    .leftJoin('market.delivery_notifications as notified', 'notified.message_id', 'notice.message_id')
    .select('notice.message_id')
    .where('thread.id', '=', threadId)
    .where('traded.buyer_id', '=', agentId)
    .where('notified.message_id', 'is', null)
    .execute()
  for (const { message_id } of notices) {
    const event = { event_type: 'delivery.notice', payload: { message_urn: urnString('message', message_id) } }
    await notifyBuyer(tx, { accountId: agentId, event })
  }
}
