import { urnString } from '../../../../../protocol/encoding/urn.ts'
import type { CallContext } from '../../../../context.ts'
import { notFound } from '../../../../errors.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import type { Tx } from '../../../../platform/db/pool.ts'
import type { DeliveryRow } from '../../../deliveries/find.ts'
import { makeLink } from '../../../deliveries/link.ts'
import { lockOpenReview } from '../../assignment/find.ts'
import type { DisputeRow } from '../../record/find.ts'

/**
 * Lists the uploads that belong to a case, oldest first: those delivered, and those that a party refers to.
 */
export async function listCaseDeliveries(tx: Tx, dispute: Pick<DisputeRow, 'id' | 'order_id'>): Promise<DeliveryRow[]> {
  return uploadsOf(tx, dispute).orderBy('delivery.id').execute()
}

/**
 * Returns a link to the bytes of an upload of a case for its assigned reviewer, good while they review it.
 * Each is an audit entry that both parties see. Throws 404 for every other operator and for an upload of no
 * such case, 409 unless it is in review or awaits a look at flagged text.
 */
export async function linkCaseDelivery(tx: Tx, call: CallContext, disputeId: string, deliveryId: string) {
  const { order, dispute } = await lockOpenReview(tx, call, disputeId)
  const delivery = await uploadsOf(tx, dispute).where('delivery.id', '=', deliveryId).executeTakeFirst()
  if (!delivery) throw notFound('delivery')
  const { humanId } = call.actor
  await audit(tx, {
    actor: urnString('human', humanId),
    action: 'review.read_delivery',
    subject: urnString('order', order.id),
    details: { dispute_urn: urnString('dispute', dispute.id), delivery_urn: urnString('delivery', deliveryId) },
  })
  return {
    delivery,
    download: await makeLink(tx, call.settings, { kind: 'delivery', id: deliveryId, account: humanId }),
  }
}

function uploadsOf(tx: Tx, { id, order_id: orderId }: Pick<DisputeRow, 'id' | 'order_id'>) {
  return tx
    .selectFrom('market.deliveries as delivery')
    .selectAll('delivery')
    .where('delivery.order_id', '=', orderId)
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('delivery.message_id', 'is not', null),
        exists(
          selectFrom('market.dispute_evidence as evidence')
            .select('evidence.id')
            .whereRef('evidence.delivery_id', '=', 'delivery.id')
            .where('evidence.dispute_id', '=', id),
        ),
      ]),
    )
}
