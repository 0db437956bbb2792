import type { AgentCall } from '../context.ts'
import type { Tx } from '../db/pool.ts'
import { notFound } from '../errors.ts'
import { acceptOrder } from '../orders/accept.ts'
import { lockOrderAs } from '../orders/find.ts'
import { rejectOrder } from '../orders/reject.ts'
import { findReceipt, isParty, type ReceiptRow } from './find.ts'

/** The buyer's decision on a delivery. */
export interface Decision {
  accept: boolean
  reason: string | null
}

/**
 * The buyer accepts or rejects the delivery a receipt is for (spec 3.1). Answers the receipt as it stands then.
 * Throws 404 to strangers, 403 to the seller, 409 without an undecided delivery or past its window.
 */
export async function signReceipt(tx: Tx, call: AgentCall, receiptId: string, decision: Decision): Promise<ReceiptRow> {
  const receipt = await findReceipt(tx, receiptId, call.actor)
  if (!isParty(receipt, call.actor)) throw notFound('receipt')
  const order = await lockOrderAs(tx, call.actor, receipt.order_id, 'buyer')
  if (decision.accept) await acceptOrder(tx, call.settings, order.id, 'buyer')
  else await rejectOrder(tx, call.settings, order, decision.reason)
  return findReceipt(tx, receiptId, call.actor)
}
