import type { Database } from '../db/schema.ts'

/** Where a payout stands. */
export type PayoutState = Database['market.payouts']['state']

const OPEN = ['pending', 'blocked', 'submitted'] as const

/**
 * The life of a payout as data. What the token has done confirms it from wherever it is: an earlier copy of the database
 * does not know yet that it was sent.
 */
export const payoutTransitions = {
  block: { from: ['pending'], to: 'blocked' },
  unblock: { from: ['blocked'], to: 'pending' },
  submit: { from: ['pending'], to: 'submitted' },
  retry: { from: ['submitted'], to: 'pending' },
  fail: { from: ['submitted'], to: 'failed' },
  // Its owner has named another wallet.
  reopen: { from: ['failed'], to: 'pending' },
  // The chain has shown that the money went another way.
  callOff: { from: OPEN, to: 'failed' },
  confirm: { from: [...OPEN, 'failed'], to: 'confirmed' },
} as const satisfies Record<string, { from: readonly PayoutState[]; to: PayoutState }>

export type PayoutEvent = keyof typeof payoutTransitions
