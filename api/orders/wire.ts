import type { z } from '@hono/zod-openapi'
import type { Selectable } from 'kysely'
import { getAddress, type Hex } from 'viem'
import { formatAmount } from '../../protocol/amounts.ts'
import { urn } from '../../protocol/urn.ts'
import type { ChainSettings } from '../context.ts'
import type { Database } from '../db/schema.ts'
import type { Amendment } from './amendments.ts'
import type { OrderRow } from './find.ts'
import type { orderRecord, paymentRequirements } from './schemas.ts'
import { networkName } from './x402.ts'

/** The columns of an order that its parties are shown. */
export const SHOWN_COLUMNS = [
  'id',
  'state',
  'ask_id',
  'ask_version',
  'bid_id',
  'quote_id',
  'buyer_id',
  'seller_id',
  'price_micros',
  'escrow_mode',
  'thread_id',
  'receipt_id',
  'receipt_privacy',
  'sealed',
  'recipient',
  'nonce',
  'valid_after',
  'valid_before',
  'deliveries',
  'reason',
  'placed_at',
  'updated_at',
  'funded_at',
  'sla_due_at',
  'delivered_at',
  'accept_by',
  'redeliver_by',
  'closed_at',
  'suspended_at',
] as const satisfies readonly (keyof OrderRow)[]

/** An order as far as its parties are shown it. */
export type ShownOrder = Pick<OrderRow, (typeof SHOWN_COLUMNS)[number]>

/** A hold as far as the parties of its order are shown it. */
export type HoldRow = Pick<
  Selectable<Database['market.holds']>,
  'status' | 'amount_micros' | 'payer' | 'deposit_tx' | 'release_tx' | 'settled_at'
>

/** PaymentRequirements of an order (spec 2.6), as pinned when it was placed. */
export function toPaymentRequirements(chain: ChainSettings, order: ShownOrder): z.input<typeof paymentRequirements> {
  return {
    order_urn: urn('order', order.id),
    token: chain.token,
    network: networkName(chain),
    amount: formatAmount(order.price_micros),
    recipient: getAddress(order.recipient),
    nonce: order.nonce as Hex,
    valid_after: order.valid_after.toISOString(),
    valid_before: order.valid_before.toISOString(),
    escrow_mode: order.escrow_mode,
  }
}

/** An order with its hold, if it has one, as its parties read it. */
export function toOrder(
  chain: ChainSettings,
  order: ShownOrder,
  { hold, amendments }: { hold: HoldRow | undefined; amendments: readonly Omit<Amendment, 'order_id'>[] },
): z.input<typeof orderRecord> {
  return {
    urn: urn('order', order.id),
    state: order.state,
    ask_urn: order.ask_id === null ? null : urn('ask', order.ask_id),
    ask_version: order.ask_version,
    bid_urn: order.bid_id === null ? null : urn('bid', order.bid_id),
    quote_urn: order.quote_id === null ? null : urn('quote', order.quote_id),
    buyer_urn: urn('agent', order.buyer_id),
    seller_urn: urn('agent', order.seller_id),
    price: formatAmount(order.price_micros),
    escrow_mode: order.escrow_mode,
    thread_urn: order.thread_id === null ? null : urn('thread', order.thread_id),
    receipt_urn: order.receipt_id === null ? null : urn('receipt', order.receipt_id),
    receipt_privacy: order.receipt_privacy,
    sealed: order.sealed,
    payment_requirements: order.state === 'placed' ? toPaymentRequirements(chain, order) : null,
    hold: hold ? toHold(hold) : null,
    amendments: amendments.map(({ message_id, sha256, accepted_at }) => ({
      message_urn: urn('message', message_id),
      sha256,
      accepted_at: accepted_at.toISOString(),
    })),
    deliveries: order.deliveries,
    reason: order.reason,
    placed_at: order.placed_at.toISOString(),
    updated_at: order.updated_at.toISOString(),
    funded_at: isoTime(order.funded_at),
    sla_due_at: isoTime(order.sla_due_at),
    delivered_at: isoTime(order.delivered_at),
    accept_by: isoTime(order.accept_by),
    redeliver_by: isoTime(order.redeliver_by),
    closed_at: isoTime(order.closed_at),
    suspended_at: isoTime(order.suspended_at),
  }
}

function toHold(hold: HoldRow) {
  return {
    status: hold.status,
    amount: formatAmount(hold.amount_micros),
    payer: getAddress(hold.payer),
    deposit_tx: hold.deposit_tx as Hex,
    release_tx: hold.release_tx as Hex | null,
    settled_at: isoTime(hold.settled_at),
  }
}

function isoTime(time: Date | null): string | null {
  return time === null ? null : time.toISOString()
}
