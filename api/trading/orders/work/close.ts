import { sql } from 'kysely'
import { formatAmount } from '../../../../protocol/encoding/amounts.ts'
import type { Split } from '../../../../protocol/payments/split.ts'
import type { Settings } from '../../../context.ts'
import type { HoldReclaimed, HoldReleased } from '../../../payments/escrow/announcements.ts'
import { announce } from '../../../platform/announcements/announce.ts'
import type { OrderState } from '../../../platform/db/generated/tables.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { OrderClosed, OrderSettled } from '../record/announcements.ts'
import type { OrderRow } from '../record/find.ts'
import { announceOrder, transition } from '../record/transition.ts'
import { cancelExpired, isUndelivered } from './internal/cancelExpired.ts'

/**
 * Ends an order with the distribution of its hold, and announces that its receipt can be signed. An accepted
 * or a disputed order becomes final, a cancelled order stays cancelled, and any other becomes final because
 * the chain ended it. Throws if the order is already final.
 */
export async function closeOrder(
  tx: Tx,
  settings: Settings,
  { order, split, settlementRef }: HoldReleased,
): Promise<void> {
  const closed = await close(tx, order, amountsOf(split))
  await announce(tx, settings, OrderSettled, { order: closed, split, settlementRef })
  await announce(tx, settings, OrderClosed, { order: closed, refundMicros: split.payerMicros })
}

/**
 * Ends an order whose payer reclaimed its hold from the contract. One of which nothing was delivered is
 * cancelled, as in custody.
 */
export async function closeReclaimed(tx: Tx, settings: Settings, reclaimed: HoldReclaimed): Promise<void> {
  const { order } = reclaimed
  const ended = isUndelivered(order.state) ? await cancelExpired(tx, order.id) : order
  await closeOrder(tx, settings, { ...reclaimed, order: ended })
}

async function close(tx: Tx, order: OrderRow, amounts: ReturnType<typeof amountsOf>): Promise<OrderRow> {
  if (order.state !== 'cancelled') {
    return transition(tx, order.id, closingEvent(order.state), { closed_at: sql`market.now()` }, amounts)
  }
  await announceOrder(tx, order, 'receipt.finalized', amounts)
  return order
}

function amountsOf({ payerMicros, payeeMicros, feeMicros }: Split) {
  return {
    refund: formatAmount(payerMicros),
    seller_net: formatAmount(payeeMicros),
    market_fee: formatAmount(feeMicros),
  }
}

function closingEvent(state: OrderState) {
  if (state === 'accepted') return 'finalize'
  return state === 'disputed' ? 'settle' : 'finalizeByChain'
}
