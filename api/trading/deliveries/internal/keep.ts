import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { AgentCall } from '../../../context.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { emit } from '../../../platform/events/emit.ts'
import { requestChecks } from '../../criteria/request.ts'
import { lockOrderAs } from '../../orders/record/find.ts'
import { orderPayload } from '../../orders/record/transition.ts'
import type { DeliveryRow } from '../find.ts'
import { deliveryEvents } from '../module.ts'
import type { ReceivedBlob } from '../storeUpload.ts'
import { requireUploadable } from './receive.ts'

/** The seller's description of an upload. */
export interface DeliveryInput {
  orderId: string
  sha256: string
  filename: string | null
}

/**
 * Records received bytes as a delivery of an order, which a notice can then deliver. Throws 404 for
 * strangers, 403 for the buyer, 409 if the order accepts no delivery.
 */
export async function keepDelivery(
  tx: Tx,
  { actor, settings }: AgentCall,
  { orderId, sha256, filename }: DeliveryInput,
  blob: ReceivedBlob,
): Promise<DeliveryRow> {
  const order = await lockOrderAs(tx, actor, orderId, 'seller')
  await requireUploadable(tx, settings.rules, order, actor.agentId)
  const delivery = await tx
    .insertInto('market.deliveries')
    .values({
      id: blob.id,
      order_id: orderId,
      sha256,
      size_bytes: BigInt(blob.sizeBytes),
      is_blank: blob.isBlank,
      excerpt: blob.excerpt,
      filename,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await requestChecks(tx, order, delivery.id)
  const deliveryUrn = urnString('delivery', delivery.id)
  await emit(tx, deliveryEvents['delivery.received'], {
    payload: { ...orderPayload(order), delivery_urn: deliveryUrn, output_hash: sha256 },
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
