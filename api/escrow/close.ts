import type { Split } from '../../protocol/split.ts'
import type { Settings } from '../context.ts'
import type { Tx } from '../db/pool.ts'
import type { OrderRow } from '../orders/find.ts'
import { announceOrder, transitionLocked } from '../orders/transition.ts'
import { finalizeReceipt } from '../receipts/finalize.ts'

/** How the money of an order was distributed, and the transaction that shows it. */
export interface Outcome {
  split: Split
  settlementRef: string
}

/**
 * Ends an order with the distribution of its hold and signs its receipt. An accepted order becomes final, a cancelled
 * one stays cancelled, and any other is final by what the chain has done. The order must be locked and not final.
 */
export async function closeOrder(tx: Tx, settings: Settings, order: OrderRow, outcome: Outcome): Promise<void> {
  if (order.state === 'cancelled') await announceOrder(tx, order, 'receipt.finalized')
  else {
    const event = order.state === 'accepted' ? 'finalize' : 'finalizeByChain'
    await transitionLocked(tx, order, event, { closes: true })
  }
  await finalizeReceipt(tx, settings, order.id, outcome)
}
