import type { Database } from '../../platform/db/generated/tables.ts'
import type { Transition } from '../../platform/db/lifecycle.ts'

/** The state of a payout. */
export type PayoutState = Database['market.payouts']['state']

const OPEN = ['pending', 'blocked', 'submitted'] as const

/**
 * The payout state machine. A chain event confirms a payout from any state, because a restored database does
 * not know that it was sent.
 */
export const payoutTransitions = {
  block: { from: ['pending'], to: 'blocked' },
  unblock: { from: ['blocked'], to: 'pending' },
  submit: { from: ['pending'], to: 'submitted' },
  retry: { from: ['submitted'], to: 'pending' },
  fail: { from: ['submitted'], to: 'failed' },
  // The owner chose another wallet.
  reopen: { from: ['failed'], to: 'pending' },
  // The chain shows that the money was paid another way.
  callOff: { from: OPEN, to: 'failed' },
  confirm: { from: [...OPEN, 'failed'], to: 'confirmed' },
} as const satisfies Record<string, Transition<PayoutState>>

export type PayoutTransition = keyof typeof payoutTransitions
