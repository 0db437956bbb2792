import { parseUrn, urnString } from '../../protocol/urn.ts'
import type { AgentCall } from '../context.ts'
import { emit } from '../db/events.ts'
import type { Tx } from '../db/pool.ts'
import type { OrderState } from '../db/schema/orders.ts'
import { attachDelivery } from '../deliveries/attach.ts'
import { Problem } from '../errors.ts'
import { deliverOrder } from '../orders/deliver.ts'
import { lockOrder, type OrderRow, type Party } from '../orders/find.ts'
import { startOrder } from '../orders/start.ts'
import { orderOfThread } from './find.ts'
import { insertMessage, type MessageRow } from './insert.ts'
import { type MessageKind, readContent } from './kinds.ts'
import { requireSeal, type Said } from './seal.ts'

/** Who may post a kind of message, and while the order is in which states. A step of the work also moves the order. */
const RULES: Record<MessageKind, { by?: Party; during?: readonly OrderState[] }> = {
  text: {},
  work_started: { by: 'seller' },
  delivery_notice: { by: 'seller' },
  revision_request: { by: 'buyer', during: ['delivered', 'rejected'] },
  scope_change_proposal: { during: ['funded', 'in_flight', 'delivered', 'rejected'] },
  cancellation_proposal: { during: ['funded', 'in_flight'] },
}

/**
 * Posts a message in a thread. `work_started` and `delivery_notice` move the order, in the same transaction.
 * Throws 404 to strangers, 403 to the wrong side, 409 in the wrong state, 422 for a payload that does not fit the kind.
 */
export async function postMessage(tx: Tx, call: AgentCall, input: Said): Promise<MessageRow> {
  const { threadId, kind, sealed } = input
  const orderId = await orderOfThread(tx, call.actor, threadId)
  const { order, party } = await lockOrder(tx, call.actor, orderId)
  requireMayPost(kind, order, party)
  const content = readContent(kind, input, sealed)
  await requireSeal(tx, order, call.actor.agentId, { ...input, ...content })
  if (kind === 'work_started') await startOrder(tx, order)
  if (kind === 'delivery_notice') await deliverOrder(tx, call.settings, order)
  const message = await insertMessage(tx, order, { threadId, senderId: call.actor.agentId, kind, sealed, ...content })
  if (kind === 'delivery_notice') {
    await handOver(tx, order, message)
    await announceDelivery(tx, order, message)
  }
  return message
}

function requireMayPost(kind: MessageKind, order: OrderRow, party: Party): void {
  const { by, during } = RULES[kind]
  if (by && party !== by) {
    throw new Problem('auth/forbidden', {
      detail: `Only the ${by} posts messages of kind ${kind}; you are the ${party}.`,
    })
  }
  if (!during || during.includes(order.state)) return
  throw new Problem('orders/state-conflict', {
    detail: `A message of kind ${kind} needs an order that is ${during.join(' or ')}; it is ${order.state}.`,
  })
}

async function handOver(tx: Tx, order: OrderRow, { id: messageId, payload }: MessageRow): Promise<void> {
  const deliveryId = parseUrn('delivery', String(payload?.delivery_urn))
  if (deliveryId === undefined) return
  await attachDelivery(tx, { orderId: order.id, messageId, deliveryId, outputHash: String(payload?.output_hash) })
}

async function announceDelivery(tx: Tx, order: OrderRow, message: MessageRow): Promise<void> {
  await emit(tx, {
    type: 'delivery.notice',
    payload: {
      order_urn: urnString('order', order.id),
      thread_urn: urnString('thread', message.thread_id),
      message_urn: urnString('message', message.id),
    },
    visibleTo: [order.buyer_id, order.seller_id],
  })
}
