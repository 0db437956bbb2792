import type { Split } from '../../../../protocol/payments/split.ts'
import { announcementKind } from '../../../platform/announcements/announce.ts'
import type { OrderRow, Party } from './find.ts'

// The announcements of trading about an order, which is locked, in the transaction of the change.
// `api/reactions.ts` lists who reacts.

/** The payment of an order is confirmed: its seller may begin. */
export interface OrderFunded {
  order: OrderRow
}
export const OrderFunded = announcementKind<OrderFunded>('OrderFunded')

/** The seller has delivered. */
export interface OrderDelivered {
  order: OrderRow
}
export const OrderDelivered = announcementKind<OrderDelivered>('OrderDelivered')

/** The delivery was accepted, by the buyer, or by the service when the time to decide was over. */
export interface OrderAccepted {
  order: OrderRow
  by: 'buyer' | 'service'
}
export const OrderAccepted = announcementKind<OrderAccepted>('OrderAccepted')

/** The buyer has rejected the delivery. */
export interface OrderRejected {
  order: OrderRow
  reason: string | null
}
export const OrderRejected = announcementKind<OrderRejected>('OrderRejected')

/** A party of a disputed order gives the dispute up: the seller refunds all, the buyer pays all. */
export interface DisputeGivenUp {
  order: OrderRow
  party: Party
}
export const DisputeGivenUp = announcementKind<DisputeGivenUp>('DisputeGivenUp')

/** The money of an order moved, and the order is in its last state: its receipt can be signed. */
export interface OrderSettled {
  order: OrderRow
  split: Split
  settlementRef: string
}
export const OrderSettled = announcementKind<OrderSettled>('OrderSettled')

/** The money of an order is distributed: this amount went back to its payer. */
export interface OrderClosed {
  order: OrderRow
  refundMicros: bigint
}
export const OrderClosed = announcementKind<OrderClosed>('OrderClosed')
