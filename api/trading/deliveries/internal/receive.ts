import type { AgentCall, MarketRules } from '../../../context.ts'
import { groundProblems, notFound, Problem } from '../../../errors.ts'
import type { OrderState } from '../../../platform/db/generated/tables.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import type { Input } from '../../../platform/http/serve/receive.ts'
import type { Services } from '../../../platform/http/serve/services.ts'
import type { OrderRow } from '../../orders/record/find.ts'
import { orderProblems } from '../../orders/record/problems.ts'
import { deliveryProblems } from '../problems.ts'
import type { uploadDelivery } from '../routes.ts'
import { type ReceivedBlob, storeUpload } from '../storeUpload.ts'

// More uploads than an order can have deliveries: a seller may replace an upload, but must not fill our disk.
const DURING: readonly OrderState[] = ['funded', 'in_flight', 'delivered', 'rejected', 'disputed']

/**
 * Stores the bytes of an upload as they arrive, after checking that the sender may upload. Throws 404, 403
 * and 409 as keepDelivery does, 413 at the first byte beyond the limit, 422 if their hash is not output_hash:
 * then nothing is stored.
 */
export async function receiveDelivery(
  { db, settings }: Services,
  { actor }: AgentCall,
  { query, raw }: Input<typeof uploadDelivery>,
): Promise<ReceivedBlob> {
  const order = await db
    .selectFrom('market.orders')
    .selectAll()
    .where('id', '=', query.order_urn)
    .where((row) => row.or([row('buyer_id', '=', actor.agentId), row('seller_id', '=', actor.agentId)]))
    .executeTakeFirst()
  if (!order) throw notFound('order')
  await requireUploadable(db, settings.rules, order, actor.agentId)
  const stated = { field: 'output_hash', sha256: query.output_hash }
  return storeUpload(settings, raw, stated, settings.rules.maxDeliveryBytes)
}

/**
 * Throws 403 unless the caller is the seller, 409 if the order accepts no delivery or has had the maximum
 * number of uploads.
 */
export async function requireUploadable(
  db: Db | Tx,
  { maxUploads }: MarketRules,
  order: OrderRow,
  agentId: string,
): Promise<void> {
  if (order.seller_id !== agentId) {
    throw new Problem(groundProblems.forbidden, {
      detail: 'Only the seller of this order may do this; you are its buyer.',
    })
  }
  if (!DURING.includes(order.state)) {
    throw new Problem(orderProblems.stateConflict, {
      detail: `A delivery needs an order that is ${DURING.join(' or ')}; it is ${order.state}.`,
    })
  }
  const { uploads } = await db
    .selectFrom('market.deliveries')
    .select((row) => row.fn.countAll<bigint>().as('uploads'))
    .where('order_id', '=', order.id)
    .executeTakeFirstOrThrow()
  if (uploads < maxUploads) return
  throw new Problem(deliveryProblems.tooMany, { detail: `An order can have ${maxUploads} uploads, and this one has.` })
}
