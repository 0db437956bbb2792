import type { DisputeState } from '../../../platform/db/generated/tables.ts'
import type { Transition } from '../../../platform/db/lifecycle.ts'
import { UNSETTLED_DISPUTE } from '../../orders/record/states.ts'

/** The states in which nothing is decided yet: the parties may still agree. */
const UNDECIDED = ['open', 'pre_review', 'arbitrating', 'in_review'] as const
/** The states in which the hold of the order is frozen. */
const FROZEN = UNSETTLED_DISPUTE

/**
 * The lifecycle of a dispute as data. Each verb checks who may do it; `due_at` is the time at which a state
 * ends by itself.
 */
export const disputeTransitions = {
  // The evidence is closed and frozen.
  arbitrate: { from: ['open', 'pre_review'], to: 'arbitrating' },
  // A human is to look at flagged text first.
  flag: { from: ['open'], to: 'pre_review' },
  // The automated verdict is signed.
  decide: { from: ['arbitrating'], to: 'decided' },
  // The arbitrator leaves it to a human.
  escalate: { from: ['arbitrating'], to: 'in_review' },
  // The fee of an appeal is paid: a human is to decide.
  appeal: { from: ['decided'], to: 'in_review' },
  // A human verdict, or the one in its place when no human came.
  review: { from: ['pre_review', 'in_review'], to: 'executing' },
  // The appeal window is over, or both waived it.
  execute: { from: ['decided'], to: 'executing' },
  // The parties agreed on a split.
  settle: { from: UNDECIDED, to: 'executing' },
  // The seller refunds all, or the buyer pays all.
  concede: { from: FROZEN, to: 'executing' },
  release: { from: FROZEN, to: 'executing' },
  // The hold is distributed as decided, or the chain ended it another way.
  close: { from: ['executing'], to: 'closed' },
  closeByChain: { from: [...FROZEN, 'executing'], to: 'closed' },
} as const satisfies Record<string, Transition<DisputeState>>

export type DisputeTransition = keyof typeof disputeTransitions
