import type { Address, Hex } from 'viem'
import type { Outcome } from './records.ts'

/**
 * The key that sends a transaction. The resolver's key sends the calls that the contract allows the resolver
 * alone; the submitter's key sends all others.
 */
export type SignerRole = 'submitter' | 'resolver'

/** A call to be sent by one of our keys. */
export interface Call {
  signer: SignerRole
  to: Address
  data: Hex
  /** The chain refuses it from this second on (unix); null if it has no such limit. */
  validBefore: bigint | null
  /** Whether it pays money in for an owner whose gas is charged. */
  isCharged?: boolean
  /** Reverts that do not disprove the intent: it waits, where other reverts fail it. */
  passing?: readonly string[]
  /** Returns what the chain's state shows about the intent when the chain refuses the call, or undefined. */
  explain?: () => Promise<Ending | undefined>
}

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
