import type { Selectable } from 'kysely'
import type { EscrowMode, Orders } from '../../platform/db/generated/tables.ts'
import { holdTerms } from './terms.ts'

/** An order as stored. */
export type OrderRow = Selectable<Orders>

/** An order as escrow sees it. The pinned values are fixed when payment is requested. */
export interface EscrowOrder {
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
  /** Its row, as it was read. */
  row: OrderRow
}

/** Returns an order as escrow sees it. */
export function escrowOrderOf(order: OrderRow): EscrowOrder {
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
    row: order,
  }
}

/** Returns the terms of the hold that pays an order in contract mode. Throws in custodied mode. */
export function termsOf({ row }: EscrowOrder) {
  return holdTerms(row)
}
