import type { Call } from './chain.ts'
import type { Outcome } from './records.ts'

/** What to do about an intent now. */
export type Decision =
  | { kind: 'send'; call: Call }
  /** Decide again at the next block: a transaction is pending, or our node does not have the event yet. */
  | { kind: 'wait'; reason: string; until?: bigint }
  | { kind: 'end'; outcome: Outcome }

/** A decision not to send anything now. */
export type Ending = Exclude<Decision, { kind: 'send' }>

export function send(call: Call): Decision {
  return { kind: 'send', call }
}

/** `until`: the chain's time at which the wait ends by itself (unix seconds). It may be days away. */
export function wait(reason: string, until?: bigint): Ending {
  return until === undefined ? { kind: 'wait', reason } : { kind: 'wait', reason, until }
}

/** The chain did it, in this transaction if known. */
export function confirmed(txHash: Outcome['txHash'] = null): Ending {
  return { kind: 'end', outcome: { status: 'confirmed', reason: null, txHash } }
}

/** The chain will never do it. */
export function failed(reason: string): Ending {
  return { kind: 'end', outcome: { status: 'failed', reason, txHash: null } }
}

/** We will never send it. */
export function refused(reason: string): Ending {
  return { kind: 'end', outcome: { status: 'refused', reason, txHash: null } }
}
