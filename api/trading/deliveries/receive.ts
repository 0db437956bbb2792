import { createHash } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import type { AgentCall, MarketRules } from '../../context.ts'
import { notFound, Problem } from '../../errors.ts'
import { blobsOf } from '../../platform/blobs/open.ts'
import type { Db, Tx } from '../../platform/db/pool.ts'
import type { OrderState } from '../../platform/db/schema/orders.ts'
import { readStream, tooLarge } from '../../platform/http/body.ts'
import type { Input } from '../../platform/http/receive.ts'
import type { Services } from '../../platform/http/services.ts'
import type { OrderRow } from '../orders/find.ts'
import type { uploadDelivery } from './routes.ts'
import { TextOfUpload } from './textOfUpload.ts'

// More uploads than an order can have deliveries: a seller may replace an upload, but must not fill our disk.
const DURING: readonly OrderState[] = ['funded', 'in_flight', 'delivered', 'rejected', 'disputed']

/** Stored bytes without a delivery row. Without one they are removed later. */
export interface ReceivedBlob {
  id: string
  sizeBytes: number
  /** No bytes, or text of nothing but white space and invisible characters. */
  isBlank: boolean
  /** The beginning and the end of what is text; null of what is not. */
  excerpt: string | null
}

/**
 * Stores the bytes of an upload as they arrive, after checking that the sender may upload. Throws 404, 403 and 409 as
 * keepDelivery does, 413 at the first byte beyond the limit, 422 if their hash is not output_hash: then nothing is
 * stored.
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
  const { maxDeliveryBytes } = settings.rules
  if (Number(raw.header('content-length') ?? 0) > maxDeliveryBytes) throw tooLarge(maxDeliveryBytes)
  const blob = { id: uuidv7(), sizeBytes: 0 }
  const words = new TextOfUpload()
  const hash = createHash('sha256')
  async function* measured() {
    for await (const chunk of readStream(raw.stream)) {
      blob.sizeBytes += chunk.byteLength
      if (blob.sizeBytes > maxDeliveryBytes) throw tooLarge(maxDeliveryBytes)
      hash.update(chunk)
      words.add(chunk)
      yield chunk
    }
    if (hash.digest('hex') !== query.output_hash) throw wrongHash()
  }
  await blobsOf(settings).write(blob.id, measured())
  return { ...blob, isBlank: words.isBlank, excerpt: words.excerpt() }
}

/**
 * Throws 403 unless the caller is the seller, 409 if the order accepts no delivery or has had the maximum number of
 * uploads.
 */
export async function requireUploadable(
  db: Db | Tx,
  { maxUploads }: MarketRules,
  order: OrderRow,
  agentId: string,
): Promise<void> {
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
  if (uploads < maxUploads) return
  throw new Problem('deliveries/too-many', { detail: `An order can have ${maxUploads} uploads, and this one has.` })
}

function wrongHash(): Problem {
  return new Problem('deliveries/wrong-hash', {
    detail: 'What arrived does not have this SHA-256: it was changed or cut off on its way. Nothing was kept.',
    field: 'output_hash',
  })
}
