import type { Call } from './context.ts'
import type { Outcome } from './store.ts'

/** What is to be done about an intent now. */
export type Decision =
  | { kind: 'send'; call: Call }
  /** Look again at the next block: something is on its way, or ours is not the node that knows yet. */
  | { kind: 'wait'; reason: string }
  | { kind: 'end'; outcome: Outcome }

/** A decision not to send anything now. */
export type Ending = Exclude<Decision, { kind: 'send' }>

export function send(call: Call): Decision {
  return { kind: 'send', call }
}

export function wait(reason: string): Ending {
  return { kind: 'wait', reason }
}

/** The chain did it, in this transaction if we know which. */
export function confirmed(txHash: Outcome['txHash'] = null): Ending {
  return { kind: 'end', outcome: { status: 'confirmed', reason: null, txHash } }
}

/** The chain will never do it. */
export function failed(reason: string): Ending {
  return { kind: 'end', outcome: { status: 'failed', reason, txHash: null } }
}

/** We will never ask the chain for it. */
export function refused(reason: string): Ending {
  return { kind: 'end', outcome: { status: 'refused', reason, txHash: null } }
}
