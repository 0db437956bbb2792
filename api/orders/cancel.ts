import { sql } from 'kysely'
import { urnString } from '../../protocol/urn.ts'
import type { AgentCall, Settings } from '../context.ts'
import { audit } from '../db/audit.ts'
import { readClock } from '../db/clock.ts'
import { voidIntents } from '../db/intents.ts'
import type { Tx } from '../db/pool.ts'
import { Problem } from '../errors.ts'
import { isAdopting } from '../escrow/authorizations.ts'
import { requestRelease } from '../escrow/release.ts'
import { lockOrder, type OrderRow, type Party } from './find.ts'
import type { CancelReason } from './reasons.ts'
import { requireNotSuspended } from './suspend.ts'
import { transition } from './transition.ts'

type Cancellation = 'withdraw' | 'cancel' | 'concede'

/**
 * Cancels an order. Either party may while it is unpaid; once paid, the seller at any time before it is settled, the
 * buyer when the seller is past its SLA and has delivered nothing. A paid hold is refunded whole; a payment that lands
 * afterwards is refunded when it does. Throws 404 to strangers, 403 or 409 to a buyer who may not.
 */
export async function cancelOrder(tx: Tx, call: AgentCall, orderId: string, reason: CancelReason): Promise<OrderRow> {
  const { order, party } = await lockOrder(tx, call.actor, orderId)
  const event = cancellationOf(order)
  requireNotSuspended(order)
  if (party === 'buyer' && event !== 'withdraw') requireBreach(order, event, await readClock(tx))
  if (event === 'withdraw') await refuseWhileAdopting(tx, orderId)
  const cancelled = await transition(tx, orderId, event, { reason, closed_at: sql`market.now()` })
  if (event === 'withdraw') await voidIntents(tx, orderId)
  else await requestRelease(tx, call.settings, orderId, { refundMicros: order.price_micros })
  await audit(tx, {
    actor: urnString('agent', agentOf(order, party)),
    action: `order.${event}`,
    subject: urnString('order', orderId),
    details: { reason },
  })
  return cancelled
}

/**
 * Cancels a paid order because both sides agreed to, and refunds it whole. The order must be locked. Throws 409 where it
 * was delivered or ended meanwhile, or its payment is gone from the chain.
 */
export async function cancelByBoth(tx: Tx, settings: Settings, order: OrderRow, reason: CancelReason): Promise<void> {
  requireNotSuspended(order)
  await transition(tx, order.id, 'cancel', { reason, closed_at: sql`market.now()` })
  await requestRelease(tx, settings, order.id, { refundMicros: order.price_micros })
  await audit(tx, {
    actor: 'service',
    action: 'order.cancel_by_both',
    subject: urnString('order', order.id),
    details: { reason },
  })
}

function cancellationOf(order: OrderRow): Cancellation {
  switch (order.state) {
    case 'placed':
      return 'withdraw'
    case 'funded':
    case 'in_flight':
      return 'cancel'
    case 'delivered':
    case 'rejected':
      return 'concede'
    // Only a release through the contract takes its time. Until it is mined its payee is first with the contract itself.
    case 'accepted':
      throw new Problem('orders/state-conflict', {
        detail:
          'The order is accepted, and its release on the way to the chain. Its payee may still refund it there: call refundByPayee of the contract.',
      })
    default:
      throw new Problem('orders/state-conflict', {
        detail: `The order is ${order.state}: it cannot be cancelled any more.`,
      })
  }
}

// Its money is in the contract already: voiding the adoption would leave it there.
async function refuseWhileAdopting(tx: Tx, orderId: string): Promise<void> {
  if (!(await isAdopting(tx, orderId))) return
  throw new Problem('orders/state-conflict', {
    detail: 'A payment for this order has arrived and is about to be confirmed. Read the order, and decide then.',
  })
}

function requireBreach(order: OrderRow, event: Cancellation, now: Date): void {
  if (event === 'concede') {
    throw new Problem('auth/forbidden', {
      detail: 'The work was delivered: accept or reject it. Only the seller may give it up.',
    })
  }
  if (order.sla_due_at && order.sla_due_at <= now) return
  throw new Problem('orders/state-conflict', {
    detail: `The seller has until ${order.sla_due_at?.toISOString()} to deliver; you may cancel after that. The seller may at any time, and both of you by a cancellation_proposal.`,
  })
}

function agentOf(order: OrderRow, party: Party): string {
  return party === 'buyer' ? order.buyer_id : order.seller_id
}
