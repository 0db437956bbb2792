import type { Selectable } from 'kysely'
import type { EscrowMode, Orders } from '../../platform/db/generated/tables.ts'
import { holdTerms } from './terms.ts'

/** An order as stored. */
export type OrderRow = Selectable<Orders>

/** Something paid for through escrow, as payments sees it. The pinned values are fixed when payment is requested. */
export interface Payable {
  id: string
  mode: EscrowMode
  /** Whether it is unpaid and may be paid. */
  isAwaitingPayment: boolean
  /** When its payment was removed from the chain; null if it was not. */
  suspendedAt: Date | null
  offeredAt: Date
  /** The agent that pays, and the one that is paid. */
  buyerId: string
  sellerId: string
  /** Pinned when payment is requested: what the payer signs. Addresses are lowercase. */
  recipient: string
  nonce: string
  amountMicros: bigint
  payee: string | null
  feeRecipient: string
  feeBps: number
  /** The order's row, as it was locked. */
  order: OrderRow
}

/** Returns an order as a payable. */
export function payableOf(order: OrderRow): Payable {
  return {
    id: order.id,
    mode: order.escrow_mode,
    isAwaitingPayment: order.state === 'placed',
    suspendedAt: order.suspended_at,
    offeredAt: order.placed_at,
    buyerId: order.buyer_id,
    sellerId: order.seller_id,
    recipient: order.recipient,
    nonce: order.nonce,
    amountMicros: order.price_micros,
    payee: order.payee,
    feeRecipient: order.fee_recipient,
    feeBps: order.fee_bps,
    order,
  }
}

/** Returns the terms of the hold that pays a contract-mode payable. Throws in custodied mode. */
export function termsOf({ order }: Payable) {
  return holdTerms(order)
}
