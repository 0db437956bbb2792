import type { MarketRules } from '../../../../context.ts'
import type { Refusal } from '../../../../errors.ts'
import type { OrderRow, Party } from '../find.ts'
import {
  ACTING_PARTY,
  cancellationOf,
  ORDER_ACTIONS,
  type OrderAction,
  type POSTING_STATES,
  refuseAccept,
  refuseCancel,
  refuseDeliver,
  refuseDispute,
  refusePosting,
  refuseRating,
  refuseReject,
  refuseState,
  refuseSuspended,
} from '../guards.ts'
import type { OrderLabels } from '../labels.ts'
import { UNSETTLED_DISPUTE } from '../states.ts'

/** Returns the actions in an order that the caller's sides may take now, by the rules of the verbs. */
export function mayOf(
  order: OrderRow,
  sides: readonly Party[],
  labels: OrderLabels | undefined,
  rules: MarketRules,
): OrderAction[] {
  if (!labels) return []
  return ORDER_ACTIONS.filter((action) => {
    const only = (ACTING_PARTY as Partial<Record<OrderAction, Party>>)[action]
    return sides.some((side) => (only ?? side) === side && isAllowed(action, order, side, labels, rules))
  })
}

function isAllowed(
  action: OrderAction,
  order: OrderRow,
  party: Party,
  { now, isPaid, isRated, disputeState }: OrderLabels,
  rules: MarketRules,
): boolean {
  const timed = { order, now }
  const isFree = (refusal: Refusal | undefined) => refusal === undefined
  const isProposable = (kind: keyof typeof POSTING_STATES) => isFree(refusePosting(order, kind))
  // Either side of a dispute may give in until it is settled: the buyer accepts, the seller cancels.
  const mayGiveIn = disputeState !== null && UNSETTLED_DISPUTE.includes(disputeState) && isFree(refuseSuspended(order))
  switch (action) {
    case 'fund':
      return order.state === 'placed' && !isPaid && order.valid_before > now
    case 'start':
      return isFree(refuseState(order, 'start'))
    case 'deliver':
      return isFree(refuseDeliver(timed, rules.maxDeliveries))
    case 'accept':
      return order.state === 'disputed' ? mayGiveIn : isFree(refuseAccept(timed))
    case 'reject':
      return isFree(refuseReject(timed))
    case 'dispute':
      return isFree(refuseDispute(timed))
    case 'cancel':
      return order.state === 'disputed' ? party === 'seller' && mayGiveIn : isCancellable(timed, party)
    case 'propose_scope_change':
      return isProposable('scope_change_proposal')
    case 'propose_cancellation':
      return isProposable('cancellation_proposal')
    case 'propose_remedy':
      return isProposable('remedy_proposal')
    case 'rate':
      return !isRated && isFree(refuseRating(timed, rules.ratingWindowSeconds))
  }
}

function isCancellable(timed: Parameters<typeof refuseCancel>[0], party: Party): boolean {
  const event = cancellationOf(timed.order)
  return event !== undefined && refuseCancel(timed, event, party) === undefined
}
