import type { AgentCall } from '../../../context.ts'
import { notFound } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { lockOrderAs } from '../../orders/record/find.ts'
import { acceptOrder } from '../../orders/work/accept.ts'
import { rejectOrder } from '../../orders/work/reject.ts'
import { findReceipt, isParty, type ReceiptRow } from './find.ts'

/** The buyer's decision on a delivery. */
export interface Decision {
  accept: boolean
  reason: string | null
}

/**
 * Records the buyer's acceptance or rejection of the delivery that a receipt is for (spec 3.1). Returns the
 * updated receipt. Throws 404 for strangers, 403 for the seller, 409 without an undecided delivery or past
 * its window.
 */
export async function signReceipt(tx: Tx, call: AgentCall, receiptId: string, decision: Decision): Promise<ReceiptRow> {
  const receipt = await findReceipt(tx, receiptId, call.actor)
  if (!isParty(receipt, call.actor)) throw notFound('receipt')
  const order = await lockOrderAs(tx, call.actor, receipt.order_id, 'buyer')
  if (decision.accept) await acceptOrder(tx, call.settings, order)
  else await rejectOrder(tx, call.settings, order, decision.reason)
  return findReceipt(tx, receiptId, call.actor)
}
