import type { Tx } from '../db/pool.ts'
import { Problem } from '../errors.ts'

/** What a notice hands over: one upload of its order, by the hash it states. */
export interface HandedOver {
  orderId: string
  messageId: string
  deliveryId: string
  outputHash: string
}

/**
 * Ties an upload to the notice that hands it over. Throws 422, naming the field, for an upload of another order or none,
 * one that was handed over before, and one whose bytes are not what the notice says.
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
  return new Problem('messages/invalid-payload', { detail: `${field}: ${message}.`, field })
}
