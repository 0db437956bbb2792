import { sql } from 'kysely'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { AgentCall, Settings } from '../../../context.ts'
import { groundProblems, Problem, refuse, requireAllowed } from '../../../errors.ts'
import { voidIntents } from '../../../payments/chain/intents.ts'
import { requestRelease } from '../../../payments/escrow/release.ts'
import { announce } from '../../../platform/announcements/announce.ts'
import { audit } from '../../../platform/audit/audit.ts'
import { readClock } from '../../../platform/db/clock.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { DisputeGivenUp } from '../record/announcements.ts'
import { lockOrder, type OrderRow, type Party } from '../record/find.ts'
import { cancellationOf, refuseCancel, refuseLateCancel } from '../record/guards.ts'
import type { CancelReason } from '../record/schemas.ts'
import { requireNotSuspended, transition } from '../record/transition.ts'

/**
 * Cancels an order. Either party may while it is unpaid; once paid, the seller at any time before it is
 * settled, the buyer if the seller has missed its SLA and delivered nothing. A paid hold is refunded in full;
 * a payment that arrives later, or is being adopted, is returned. The seller of a disputed order thereby
 * concedes, and the order becomes final. Throws 404 for strangers, 403 or 409 for a buyer who may not cancel.
 */
export async function cancelOrder(tx: Tx, call: AgentCall, orderId: string, reason: CancelReason): Promise<OrderRow> {
  const { order, party } = await lockOrder(tx, call.actor, orderId)
  if (order.state === 'disputed') return concede(tx, call, order, party)
  const event = cancellationOf(order) ?? refuse(refuseLateCancel(order))
  requireAllowed(refuseCancel({ order, now: await readClock(tx) }, event, party))
  const cancelled = await transition(tx, orderId, event, { reason, closed_at: sql`market.now()` })
  if (event === 'withdraw') await voidIntents(tx, orderId)
  else await requestRelease(tx, call.settings, cancelled, { refundMicros: order.price_micros })
  await audit(tx, {
    actor: urnString('agent', agentOf(order, party)),
    action: `order.${event}`,
    subject: urnString('order', orderId),
    details: { reason },
  })
  return cancelled
}

/** The seller gives up a dispute: the payment is refunded in full. */
async function concede(tx: Tx, call: AgentCall, order: OrderRow, party: Party): Promise<OrderRow> {
  if (party === 'buyer') {
    throw new Problem(groundProblems.forbidden, {
      detail: 'The order is disputed: only the seller may refund it now. You may accept it.',
    })
  }
  await announce(tx, call.settings, DisputeGivenUp, { order, party })
  return order
}

/**
 * Cancels a paid order because both parties agreed to it, and refunds it in full. The order must be locked.
 * Throws 409 if it was delivered or ended meanwhile, or a reorganisation has removed its payment.
 */
export async function cancelByBoth(tx: Tx, settings: Settings, order: OrderRow, reason: CancelReason): Promise<void> {
  requireNotSuspended(order)
  const cancelled = await transition(tx, order.id, 'cancel', { reason, closed_at: sql`market.now()` })
  await requestRelease(tx, settings, cancelled, { refundMicros: order.price_micros })
  await audit(tx, {
    actor: 'service',
    action: 'order.cancel_by_both',
    subject: urnString('order', order.id),
    details: { reason },
  })
}

function agentOf(order: OrderRow, party: Party): string {
  return party === 'buyer' ? order.buyer_id : order.seller_id
}
