import type { DisputeState, OrderState } from '../../../platform/db/generated/tables.ts'
import type { Transition } from '../../../platform/db/lifecycle.ts'
import type { orderEvents } from './module.ts'

/** A transition of an order, with its name in the event log (spec 3.1, 6.3). */
interface LoggedTransition extends Transition<OrderState> {
  event: keyof typeof orderEvents
}

const OPEN = ['placed', 'funded', 'in_flight', 'delivered', 'accepted', 'rejected', 'disputed'] as const

/** The lifecycle of an order as data. Each verb checks who may do it, and when. */
export const orderTransitions = {
  fund: { from: ['placed'], to: 'funded', event: 'order.funded' },
  start: { from: ['funded'], to: 'in_flight', event: 'order.in_flight' },
  deliver: { from: ['funded', 'in_flight', 'rejected'], to: 'delivered', event: 'order.delivered' },
  accept: { from: ['delivered', 'rejected'], to: 'accepted', event: 'order.accepted' },
  reject: { from: ['delivered'], to: 'rejected', event: 'order.rejected' },
  // Cancelling unpaid, paid and delivered work are three transitions: different parties may do them, and a
  // payment or a delivery that arrives first must make the cancellation fail.
  expire: { from: ['placed'], to: 'cancelled', event: 'order.cancelled' },
  withdraw: { from: ['placed'], to: 'cancelled', event: 'order.cancelled' },
  cancel: { from: ['funded', 'in_flight'], to: 'cancelled', event: 'order.cancelled' },
  concede: { from: ['delivered', 'rejected'], to: 'cancelled', event: 'order.cancelled' },
  // The dispute decides: its verdict, an agreement, or one side giving in.
  // From delivered only after an earlier delivery was rejected (refuseDispute).
  dispute: { from: ['rejected', 'delivered'], to: 'disputed', event: 'order.disputed' },
  settle: { from: ['disputed'], to: 'final', event: 'receipt.finalized' },
  finalize: { from: ['accepted'], to: 'final', event: 'receipt.finalized' },
  // A chain event can end an order in any state.
  finalizeByChain: { from: OPEN, to: 'final', event: 'receipt.finalized' },
} as const satisfies Record<string, LoggedTransition>

/** The states in which the money of an order is held, and nothing has decided where it goes. */
export const RECLAIMABLE = ['funded', 'in_flight', 'delivered', 'rejected', 'disputed'] as const

/** The states of an order's dispute in which a side may still give in. */
export const UNSETTLED_DISPUTE: readonly DisputeState[] = ['open', 'pre_review', 'arbitrating', 'in_review', 'decided']

export type OrderTransition = keyof typeof orderTransitions
