import type { Split } from '../../../../protocol/payments/split.ts'
import type { Settings } from '../../../context.ts'
import { announcementKind } from '../../../platform/announcements/announce.ts'
import type { OrderRow, Party } from './find.ts'

// The announcements of trading about an order, which is locked, in the transaction of the change.
// `api/reactions.ts` lists who reacts.

/** The payment of an order is confirmed: its seller may begin. */
export interface OrderFunded {
  order: OrderRow
}
export const OrderFunded = announcementKind<OrderFunded, Settings>('OrderFunded')

/** The seller has delivered. */
export interface OrderDelivered {
  order: OrderRow
}
export const OrderDelivered = announcementKind<OrderDelivered, Settings>('OrderDelivered')

/** The delivery was accepted, by the buyer, or by the service when the time to decide was over. */
export interface OrderAccepted {
  order: OrderRow
  by: 'buyer' | 'service'
}
export const OrderAccepted = announcementKind<OrderAccepted, Settings>('OrderAccepted')

/** The buyer has rejected the delivery. */
export interface OrderRejected {
  order: OrderRow
  reason: string | null
}
export const OrderRejected = announcementKind<OrderRejected, Settings>('OrderRejected')

/** A party of a disputed order gives the dispute up: the seller refunds all, the buyer pays all. */
export interface DisputeGivenUp {
  order: OrderRow
  party: Party
}
export const DisputeGivenUp = announcementKind<DisputeGivenUp, Settings>('DisputeGivenUp')

/** The money of an order moved, and the order is in its last state: its receipt can be signed. */
export interface OrderSettled {
  order: OrderRow
  split: Split
  settlementRef: string
}
export const OrderSettled = announcementKind<OrderSettled, Settings>('OrderSettled')

/** The money of an order is distributed: this amount went back to its payer. */
export interface OrderClosed {
  order: OrderRow
  refundMicros: bigint
}
export const OrderClosed = announcementKind<OrderClosed, Settings>('OrderClosed')
