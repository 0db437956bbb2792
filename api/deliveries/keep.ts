import { urnString } from '../../protocol/urn.ts'
import type { AgentCall } from '../context.ts'
import { audit } from '../db/audit.ts'
import { emit } from '../db/events.ts'
import type { Tx } from '../db/pool.ts'
import { lockOrderAs } from '../orders/find.ts'
import type { DeliveryRow } from './find.ts'
import { type ReceivedBlob, requireUploadable } from './receive.ts'

/** What the seller says of an upload. */
export interface DeliveryInput {
  orderId: string
  sha256: string
  filename: string | null
}

/**
 * Makes bytes that were received a delivery of an order, to be handed over by a notice. Throws 404 to strangers, 403 to
 * the buyer, 409 where the order takes no delivery.
 */
export async function keepDelivery(
  tx: Tx,
  { actor }: AgentCall,
  { orderId, sha256, filename }: DeliveryInput,
  blob: ReceivedBlob,
): Promise<DeliveryRow> {
  const order = await lockOrderAs(tx, actor, orderId, 'seller')
  await requireUploadable(tx, order, actor.agentId)
  const delivery = await tx
    .insertInto('market.deliveries')
    .values({ id: blob.id, order_id: orderId, sha256, size_bytes: BigInt(blob.sizeBytes), filename })
    .returningAll()
    .executeTakeFirstOrThrow()
  const deliveryUrn = urnString('delivery', delivery.id)
  await emit(tx, {
    type: 'delivery.received',
    payload: { order_urn: urnString('order', orderId), delivery_urn: deliveryUrn, output_hash: sha256 },
    visibleTo: [order.buyer_id, order.seller_id],
  })
  await audit(tx, {
    actor: urnString('agent', actor.agentId),
    action: 'delivery.upload',
    subject: urnString('order', orderId),
    details: { delivery_urn: deliveryUrn, sha256, size_bytes: blob.sizeBytes },
  })
  return delivery
}
