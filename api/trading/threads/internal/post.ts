import { parseUrn, urnString } from '../../../../protocol/encoding/urn.ts'
import type { AgentCall } from '../../../context.ts'
import { groundProblems, Problem, requireAllowed } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { emit } from '../../../platform/events/emit.ts'
import { attachDelivery, recordNotice } from '../../deliveries/notice.ts'
import { lockOrder, type OrderRow, type Party } from '../../orders/record/find.ts'
import { ACTING_PARTY, POSTING_STATES, refusePosting } from '../../orders/record/guards.ts'
import { orderPayload } from '../../orders/record/transition.ts'
import { deliverOrder, startOrder } from '../../orders/work/deliver.ts'
import { insertMessage, type MessageRow } from '../insert.ts'
import { threadEvents } from '../module.ts'
import { requireSeal, type Said } from '../seal.ts'
import { orderOfThread } from './find.ts'
import { knownKind, type MessageKind, readContent } from './kinds.ts'

/** Which party may post a kind of message, where only one may. A step of the work also moves the order. */
const POSTING_PARTY: Partial<Record<MessageKind, Party>> = {
  work_started: ACTING_PARTY.start,
  delivery_notice: ACTING_PARTY.deliver,
  revision_request: ACTING_PARTY.reject,
}

/**
 * Posts a message in a thread. `work_started` and `delivery_notice` move the order, in the same transaction.
 * Throws 404 for strangers, 403 for the wrong party, 409 in the wrong state, 422 for a payload that does not
 * match the kind.
 */
export async function postMessage(tx: Tx, call: AgentCall, input: Said): Promise<MessageRow> {
  const { threadId, kind, sealed } = input
  const orderId = await orderOfThread(tx, call.actor, threadId)
  const { order, party } = await lockOrder(tx, call.actor, orderId)
  requireMayPost(kind, order, party)
  const content = readContent(kind, input, sealed)
  await requireSeal(tx, order, call.actor.agentId, { ...input, ...content })
  const moved = await moveOrder(tx, call, order, { kind, payload: content.payload })
  const message = await insertMessage(tx, moved, { threadId, senderId: call.actor.agentId, kind, sealed, ...content })
  if (kind === 'delivery_notice') {
    await handOver(tx, moved, message)
    await announceDelivery(tx, moved, message)
  }
  return message
}

/** Takes the step of the work that a kind of message stands for. Returns the order as it is then. */
async function moveOrder(
  tx: Tx,
  { settings }: AgentCall,
  order: OrderRow,
  { kind, payload }: Pick<Said, 'kind' | 'payload'>,
): Promise<OrderRow> {
  if (kind === 'work_started') return startOrder(tx, order)
  if (kind === 'delivery_notice') return deliverOrder(tx, settings, order, deliveryOf({ payload }) !== undefined)
  return order
}

function requireMayPost(named: string, order: OrderRow, party: Party): void {
  const kind = knownKind(named)
  if (kind === undefined) return
  const by = POSTING_PARTY[kind]
  if (by && party !== by) {
    throw new Problem(groundProblems.forbidden, {
      detail: `Only the ${by} posts messages of kind ${kind}; you are the ${party}.`,
    })
  }
  if (kind in POSTING_STATES) requireAllowed(refusePosting(order, kind as keyof typeof POSTING_STATES))
}

async function handOver(tx: Tx, order: OrderRow, { id: messageId, payload }: MessageRow): Promise<void> {
  const outputHash = String(payload?.output_hash)
  await recordNotice(tx, order, { messageId, outputHash })
  const deliveryId = deliveryOf({ payload })
  if (deliveryId === undefined) return
  await attachDelivery(tx, { orderId: order.id, messageId, deliveryId, outputHash })
}

function deliveryOf({ payload }: Pick<MessageRow, 'payload'>): string | undefined {
  return parseUrn('delivery', String(payload?.delivery_urn))
}

async function announceDelivery(tx: Tx, order: OrderRow, message: MessageRow): Promise<void> {
  const deliveryId = deliveryOf(message)
  await emit(tx, threadEvents['delivery.notice'], {
    payload: {
      ...orderPayload(order),
      message_urn: urnString('message', message.id),
      ...(deliveryId ? { delivery_urn: urnString('delivery', deliveryId) } : {}),
    },
    visibleTo: [order.buyer_id, order.seller_id],
  })
}
