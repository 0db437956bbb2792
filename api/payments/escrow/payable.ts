import type { EscrowMode, OrderState } from '../../platform/db/generated/tables.ts'
import { holdTerms, type PinnedTerms } from './terms.ts'

/** Names what money is paid and held for. An order is the only kind. */
export interface PayableRef {
  kind: 'order'
  id: string
}

/** Something paid for through escrow, as payments sees it. The pinned values are fixed when payment is requested. */
export interface Payable extends PayableRef {
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
  pinned: PinnedTerms
}

/** The columns of an order that make it a payable. */
export interface PayableOrder extends PinnedTerms {
  id: string
  state: OrderState
  escrow_mode: EscrowMode
  buyer_id: string
  seller_id: string
  recipient: string
  nonce: string
  placed_at: Date
  suspended_at: Date | null
}

/** Returns an order as a payable. */
export function payableOf(order: PayableOrder): Payable {
  return {
    kind: 'order',
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
    pinned: order,
  }
}

/** Returns the terms of the hold that pays a contract-mode payable. Throws in custodied mode. */
export function termsOf({ pinned }: Payable) {
  return holdTerms(pinned)
}
