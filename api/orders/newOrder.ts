import type { Tx } from '../db/pool.ts'
import { unreadStatement } from '../db/statement.ts'
import type { OrderRow } from './find.ts'

/** The columns that a placement decides; the others begin as the table says. */
const WRITTEN = [
  'id',
  'state',
  'buyer_id',
  'seller_id',
  'ask_id',
  'ask_version',
  'bid_id',
  'quote_id',
  'escrow_mode',
  'price_micros',
  'fee_bps',
  'sla_seconds',
  'auto_accept_seconds',
  'order_key',
  'recipient',
  'nonce',
  'payee',
  'fee_recipient',
  'valid_after',
  'valid_before',
  'expires_at',
  'request_hash',
  'receipt_privacy',
  'sealed',
  'buyer_keys_id',
  'seller_keys_id',
] as const satisfies readonly (keyof OrderRow)[]

/** What a placement decides. */
export type NewOrder = Pick<OrderRow, (typeof WRITTEN)[number]>

const insertOrder = unreadStatement(`
  insert into market.orders (${WRITTEN.join(', ')}) values (${WRITTEN.map((_, index) => `$${index + 1}`).join(', ')})`)

/** Writes a new order, and answers its row as it stands in the transaction of that time. It is not waited for. */
export async function insertNewOrder(tx: Tx, order: NewOrder, now: Date): Promise<OrderRow> {
  await insertOrder(
    tx,
    WRITTEN.map((column) => order[column]),
  )
  return {
    ...order,
    thread_id: null,
    receipt_id: null,
    deliveries: 0,
    placed_at: now,
    updated_at: now,
    funded_at: null,
    sla_due_at: null,
    sla_breached_at: null,
    delivered_at: null,
    accept_by: null,
    redeliver_by: null,
    closed_at: null,
    reason: null,
    suspended_at: null,
  }
}
