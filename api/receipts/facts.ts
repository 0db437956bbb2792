import type { Selectable } from 'kysely'
import type { Tx } from '../db/pool.ts'
import type { Database } from '../db/schema.ts'
import { type Amendment, readAmendments } from '../orders/amendments.ts'
import { readBaseline } from '../orders/baseline.ts'
import type { OrderRow } from '../orders/find.ts'

/** Everything a receipt is drawn up from. */
export interface ReceiptFacts {
  receiptId: string
  order: OrderRow
  hold: Selectable<Database['market.holds']>
  disputed: boolean
  /** What delivery was measured against: the ask's description in the version that was bought, or the bid's. */
  description: string
  /** The changes of scope that were agreed on. */
  amendments: readonly Amendment[]
  /** SHA-256 of the last delivery's output, hex; null where nothing was delivered. */
  outputHash: string | null
}

/** Reads what the receipt of a funded order is drawn up from. Throws where the order was never funded. */
export async function readReceiptFacts(tx: Tx, orderId: string): Promise<ReceiptFacts> {
  const order = await tx.selectFrom('market.orders').selectAll().where('id', '=', orderId).executeTakeFirstOrThrow()
  const hold = await tx.selectFrom('market.holds').selectAll().where('order_id', '=', orderId).executeTakeFirstOrThrow()
  const { description } = await readBaseline(tx, order)
  const receipt = await tx
    .selectFrom('market.receipts')
    .selectAll()
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  const outputHash = order.thread_id === null ? null : await lastOutputHash(tx, order.thread_id)
  const amendments = await readAmendments(tx, [orderId])
  return { receiptId: receipt.id, disputed: receipt.disputed, order, hold, description, amendments, outputHash }
}

async function lastOutputHash(tx: Tx, threadId: string): Promise<string | null> {
  const notice = await tx
    .selectFrom('market.messages')
    .select('payload')
    .where('thread_id', '=', threadId)
    .where('kind', '=', 'delivery_notice')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const hash = notice?.payload?.output_hash
  return typeof hash === 'string' ? hash : null
}
