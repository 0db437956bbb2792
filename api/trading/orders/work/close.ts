import { sql } from 'kysely'
import { formatAmount } from '../../../../protocol/encoding/amounts.ts'
import type { Split } from '../../../../protocol/payments/split.ts'
import type { Settings } from '../../../context.ts'
import type { HoldReleased } from '../../../payments/escrow/facts.ts'
import type { OrderState } from '../../../platform/db/generated/tables.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { announce } from '../../../platform/facts/announce.ts'
import { OrderClosed, OrderSettled } from '../record/facts.ts'
import { lockOrderRow } from '../record/find.ts'
import { announceOrder, transition } from '../record/transition.ts'

/**
 * Ends an order with the distribution of its hold, and announces that its receipt can be signed. An accepted or a
 * disputed order becomes final, a cancelled order stays cancelled, and any other becomes final by what the chain did. Throws if the order is already final.
 */
export async function closeOrder(
  tx: Tx,
  settings: Settings,
  { payable, split, settlementRef }: HoldReleased,
): Promise<void> {
  const order = await lockOrderRow(tx, payable.id)
  if (!order) throw new Error(`there is no order ${payable.id}`)
  if (order.state === 'cancelled') await announceOrder(tx, order, 'receipt.finalized', amountsOf(split))
  else {
    const changes = { closed_at: sql`market.now()` }
    await transition(tx, order.id, closingEvent(order.state), changes, amountsOf(split))
  }
  await announce(tx, settings, OrderSettled, { orderId: order.id, split, settlementRef })
  await announce(tx, settings, OrderClosed, { order, refundMicros: split.payerMicros })
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
