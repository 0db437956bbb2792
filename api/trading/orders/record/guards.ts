import type { Refusal } from '../../../errors.ts'
import { groundProblems } from '../../../errors.ts'
import type { OrderRow, Party } from './find.ts'
import { orderProblems } from './problems.ts'
import { type OrderTransition, orderTransitions } from './states.ts'

// The rules for the actions of a party in an order, as data and as pure functions. A verb requires its rule;
// an order's `may` lists the actions that their rules allow. No client has rules of its own.

/** The actions of a party in an order. Each is a call of the API, or a kind of message. */
export const ORDER_ACTIONS = [
  'fund',
  'start',
  'deliver',
  'accept',
  'reject',
  'dispute',
  'cancel',
  'propose_scope_change',
  'propose_cancellation',
  'propose_remedy',
  'rate',
] as const
export type OrderAction = (typeof ORDER_ACTIONS)[number]

/** The party that may do it, if only one may. */
export const ACTING_PARTY = {
  fund: 'buyer',
  start: 'seller',
  deliver: 'seller',
  accept: 'buyer',
  reject: 'buyer',
  rate: 'buyer',
} as const satisfies Partial<Record<OrderAction, Party>>

/**
 * The states of an order in which a kind of message can be posted, and a proposal accepted, where not in
 * every one.
 */
export const POSTING_STATES = {
  revision_request: ['delivered', 'rejected'],
  scope_change_proposal: ['funded', 'in_flight', 'delivered', 'rejected'],
  cancellation_proposal: ['funded', 'in_flight'],
  remedy_proposal: ['disputed'],
} as const

/** An order at a time. */
interface Timed {
  order: OrderRow
  now: Date
}

/** The error of an order that is in no state from which this can start; undefined if it is in one. */
export function refuseState(order: OrderRow, name: OrderTransition): Refusal | undefined {
  const from: readonly OrderRow['state'][] = orderTransitions[name].from
  if (from.includes(order.state)) return undefined
  return {
    problem: orderProblems.stateConflict,
    detail: `This needs an order that is ${from.join(' or ')}; it is ${order.state}.`,
  }
}

/** Refuses an action that would move the money of an order whose payment a reorganisation has removed. */
export function refuseSuspended({ suspended_at: since }: OrderRow): Refusal | undefined {
  if (since === null) return undefined
  return {
    problem: orderProblems.suspended,
    detail:
      `The chain took back the payment of this order at ${since.toISOString()}. It is being sent again; ` +
      'the order goes on by itself when the payment is seen, and no window runs out meanwhile.',
  }
}

/**
 * Refuses the buyer's acceptance of an order that is not disputed, unless a delivery is undecided and its
 * window open.
 */
export function refuseAccept({ order, now }: Timed): Refusal | undefined {
  const suspended = refuseSuspended(order)
  if (suspended) return suspended
  if (order.state !== 'delivered' && order.state !== 'rejected') {
    const detail = `There is no delivery to decide on: the order is ${order.state}.`
    return { problem: orderProblems.stateConflict, detail }
  }
  const end = order.state === 'delivered' ? order.accept_by : order.redeliver_by
  if (end && end > now) return undefined
  const detail = `The window to decide closed at ${end?.toISOString()}. Read the order to see how it ends.`
  return { problem: orderProblems.windowClosed, detail }
}

/** Refuses a rejection, unless a delivery is undecided and its window open. */
export function refuseReject({ order, now }: Timed): Refusal | undefined {
  const state = refuseState(order, 'reject')
  if (state) return state
  if (order.accept_by && order.accept_by > now) return undefined
  const detail = `The window to decide closed at ${order.accept_by?.toISOString()}. Read the order to see how it ends.`
  return { problem: orderProblems.windowClosed, detail }
}

/**
 * Refuses a delivery: after the last one that the rules allow, past the window of a rejection, in another
 * state.
 */
export function refuseDeliver({ order, now }: Timed, maxDeliveries: number): Refusal | undefined {
  if (order.state === 'rejected' && !(order.redeliver_by && order.redeliver_by > now)) {
    const detail = `The window to deliver again closed at ${order.redeliver_by?.toISOString()}.`
    return { problem: orderProblems.windowClosed, detail }
  }
  if (order.deliveries >= maxDeliveries) {
    const detail = `An order can be delivered ${maxDeliveries} times, and this one was.`
    return { problem: orderProblems.deliveriesExhausted, detail }
  }
  return refuseState(order, 'deliver')
}

/** Refuses to open a dispute before a delivery was rejected, and once the work is accepted. */
export function refuseDispute({ order, now }: Timed): Refusal | undefined {
  const refused = refuseSuspended(order) ?? refuseState(order, 'dispute')
  if (refused || order.state === 'rejected') return refused
  // Only a rejected delivery is followed by another one.
  if (order.deliveries > 1) return refuseReject({ order, now })
  const detail = 'A dispute needs a delivery that was rejected: reject this one first.'
  return { problem: orderProblems.stateConflict, detail }
}

/** How a party cancels an order that is not disputed. */
export type Cancellation = 'withdraw' | 'cancel' | 'concede'

/** Returns how an order in this state is cancelled; undefined where it is not. */
export function cancellationOf({ state }: Pick<OrderRow, 'state'>): Cancellation | undefined {
  return (['withdraw', 'cancel', 'concede'] as const).find((name) =>
    (orderTransitions[name].from as readonly string[]).includes(state),
  )
}

/**
 * Refuses to cancel an order that is not disputed: by the buyer before the SLA is breached, and of delivered
 * work.
 */
export function refuseCancel({ order, now }: Timed, event: Cancellation, party: Party): Refusal | undefined {
  const suspended = refuseSuspended(order)
  if (suspended || party === 'seller' || event === 'withdraw') return suspended
  if (event === 'concede') {
    const detail = 'The work was delivered: accept or reject it. Only the seller may give it up.'
    return { problem: groundProblems.forbidden, detail }
  }
  if (order.sla_due_at && order.sla_due_at <= now) return undefined
  const due = order.sla_due_at?.toISOString()
  return {
    problem: orderProblems.stateConflict,
    detail: `The seller has until ${due} to deliver; you may cancel after that. The seller may cancel at any time, and both of you may by a cancellation_proposal.`,
  }
}

/** The refusal to cancel an order whose state `cancellationOf` does not know. */
export function refuseLateCancel({ state }: OrderRow): Refusal {
  const detail =
    // A release through the contract takes time. Until it is mined, its payee can still refund the payment
    // there.
    state === 'accepted'
      ? 'The order is accepted, and its release on the way to the chain. Its payee may still refund it there: call refundByPayee of the contract.'
      : `The order is ${state}: it cannot be cancelled any more.`
  return { problem: orderProblems.stateConflict, detail }
}

/** Refuses a message of this kind in another state of the order. */
export function refusePosting(order: OrderRow, kind: keyof typeof POSTING_STATES): Refusal | undefined {
  const during: readonly string[] = POSTING_STATES[kind]
  if (during.includes(order.state)) return undefined
  const detail = `A message of kind ${kind} needs an order that is ${during.join(' or ')}; it is ${order.state}.`
  return { problem: orderProblems.stateConflict, detail }
}

/** Refuses a rating before the order is final, and after the window. */
export function refuseRating({ order, now }: Timed, windowSeconds: number): Refusal | undefined {
  if (order.state !== 'final' || order.closed_at === null) {
    const detail = `The order is ${order.state}: work is rated once it is final. Refunded orders are not rated.`
    return { problem: orderProblems.stateConflict, detail }
  }
  const until = new Date(order.closed_at.getTime() + windowSeconds * 1_000)
  if (until >= now) return undefined
  return { problem: orderProblems.windowClosed, detail: `This order could be rated until ${until.toISOString()}.` }
}
