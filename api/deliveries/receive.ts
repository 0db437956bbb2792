import { createHash } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { fileBlobs } from '../blobs/store.ts'
import type { AgentCall } from '../context.ts'
import type { Db, Tx } from '../db/pool.ts'
import type { OrderState } from '../db/schema/orders.ts'
import { notFound, Problem } from '../errors.ts'
import { readStream, tooLarge } from '../http/body.ts'
import type { Input, Services } from '../http/serve.ts'
import type { OrderRow } from '../orders/find.ts'
import type { uploadDelivery } from './routes.ts'

// More than an order can be delivered times: a seller may think better of an upload, and not fill our disk.
const MAX_UPLOADS = 20
const DURING: readonly OrderState[] = ['funded', 'in_flight', 'delivered', 'rejected']

/** Bytes that are in the store and are nobody's delivery yet: without a row they are swept away. */
export interface ReceivedBlob {
  id: string
  sizeBytes: number
}

/**
 * Keeps the bytes of an upload as they arrive, after looking whether their sender may send them. Throws 404, 403 and 409
 * as keepDelivery does, 413 at the first byte too many, 422 where they are not what output_hash says: then nothing is kept.
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
  await requireUploadable(db, order, actor.agentId)
  const { maxDeliveryBytes } = settings.rules
  if (Number(raw.header('content-length') ?? 0) > maxDeliveryBytes) throw tooLarge(maxDeliveryBytes)
  const blob = { id: uuidv7(), sizeBytes: 0 }
  const hash = createHash('sha256')
  async function* measured() {
    for await (const chunk of readStream(raw.stream)) {
      blob.sizeBytes += chunk.byteLength
      if (blob.sizeBytes > maxDeliveryBytes) throw tooLarge(maxDeliveryBytes)
      hash.update(chunk)
      yield chunk
    }
    if (hash.digest('hex') !== query.output_hash) throw wrongHash()
  }
  await fileBlobs(settings.blobDirectory).write(blob.id, measured())
  return blob
}

/** Throws 403 unless the seller uploads, 409 where the order takes no delivery, or had uploads enough. */
export async function requireUploadable(db: Db | Tx, order: OrderRow, agentId: string): Promise<void> {
  if (order.seller_id !== agentId) {
    throw new Problem('auth/forbidden', { detail: 'Only the seller of this order may do this; you are its buyer.' })
  }
  if (!DURING.includes(order.state)) {
    throw new Problem('orders/state-conflict', {
      detail: `A delivery needs an order that is ${DURING.join(' or ')}; it is ${order.state}.`,
    })
  }
  const { uploads } = await db
    .selectFrom('market.deliveries')
    .select((row) => row.fn.countAll<bigint>().as('uploads'))
    .where('order_id', '=', order.id)
    .executeTakeFirstOrThrow()
  if (uploads < MAX_UPLOADS) return
  throw new Problem('deliveries/too-many', { detail: `An order can have ${MAX_UPLOADS} uploads, and this one has.` })
}

function wrongHash(): Problem {
  return new Problem('deliveries/wrong-hash', {
    detail: 'What arrived does not have this SHA-256: it was changed or cut off on its way. Nothing was kept.',
    field: 'output_hash',
  })
}
