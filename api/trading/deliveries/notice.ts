import { Problem } from '../../errors.ts'
import type { Tx } from '../../platform/db/pool.ts'
import type { OrderRow } from '../orders/record/find.ts'
import { threadProblems } from '../threads/problems.ts'

/** The upload that a notice delivers, with the hash that the notice states. */
export interface HandedOver {
  orderId: string
  messageId: string
  deliveryId: string
  outputHash: string
}

/**
 * Attaches an upload to the notice that delivers it. Throws 422, naming the field, if the upload does not
 * exist in this order, was already delivered, or does not have the stated hash.
 */
export async function attachDelivery(tx: Tx, given: HandedOver): Promise<void> {
  const delivery = await tx
    .selectFrom('market.deliveries')
    .select(['sha256', 'message_id'])
    .where('id', '=', given.deliveryId)
    .where('order_id', '=', given.orderId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!delivery) throw invalid('delivery_urn', 'must be an upload of this order')
  if (delivery.message_id !== null) throw invalid('delivery_urn', 'was handed over by an earlier notice')
  if (delivery.sha256 !== given.outputHash) throw invalid('output_hash', 'is not the SHA-256 of that upload')
  await tx
    .updateTable('market.deliveries')
    .set({ message_id: given.messageId })
    .where('id', '=', given.deliveryId)
    .execute()
}

function invalid(member: string, message: string): Problem {
  const field = `payload.${member}`
  return new Problem(threadProblems.invalidPayload, { detail: `${field}: ${message}.`, field })
}

/**
 * Records the notice that delivered an order, under the number of its delivery. The order must be locked and
 * delivered by this notice. Throws an Error for an order that was never funded.
 */
export async function recordNotice(
  tx: Tx,
  { id: orderId, deliveries: number, sla_due_at }: OrderRow,
  { messageId, outputHash }: { messageId: string; outputHash: string },
): Promise<void> {
  if (sla_due_at === null) throw new Error(`order ${orderId} was delivered and never funded`)
  await tx
    .insertInto('market.delivery_notices')
    .values({ order_id: orderId, number, message_id: messageId, output_hash: outputHash, sla_due_at })
    .execute()
}
