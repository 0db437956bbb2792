import type { OrderState } from '../db/schema/orders.ts'

/** From where each event may happen to an order, where it leads, and what it is called in the event log (spec 3.1, 6.3). */
export interface Transition {
  from: readonly OrderState[]
  to: OrderState
  event: string
}

const OPEN = ['placed', 'funded', 'in_flight', 'delivered', 'accepted', 'rejected', 'disputed'] as const

/** The life of an order as data. Who may do what, and when, is each verb's to say. */
export const orderTransitions = {
  fund: { from: ['placed'], to: 'funded', event: 'order.funded' },
  start: { from: ['funded'], to: 'in_flight', event: 'order.in_flight' },
  deliver: { from: ['funded', 'in_flight', 'rejected'], to: 'delivered', event: 'order.delivered' },
  accept: { from: ['delivered', 'rejected'], to: 'accepted', event: 'order.accepted' },
  reject: { from: ['delivered'], to: 'rejected', event: 'order.rejected' },
  // Cancelling unpaid, paid and delivered work are three events: who may do it differs, and a payment or a delivery
  // that arrives first must make the cancellation lose.
  expire: { from: ['placed'], to: 'cancelled', event: 'order.cancelled' },
  withdraw: { from: ['placed'], to: 'cancelled', event: 'order.cancelled' },
  cancel: { from: ['funded', 'in_flight'], to: 'cancelled', event: 'order.cancelled' },
  concede: { from: ['delivered', 'rejected'], to: 'cancelled', event: 'order.cancelled' },
  finalize: { from: ['accepted'], to: 'final', event: 'receipt.finalized' },
  // What the chain has done ends an order from wherever it is.
  finalizeByChain: { from: OPEN, to: 'final', event: 'receipt.finalized' },
} as const satisfies Record<string, Transition>

export type OrderEvent = keyof typeof orderTransitions
