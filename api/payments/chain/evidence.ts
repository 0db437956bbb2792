import type { Address, Hex } from 'viem'
import type { Terms } from '../../../protocol/payments/terms.ts'

// Chain events at confirmed depth, read from the logs at a node. Addresses and hashes are lowercase, amounts
// micro-units.

/** Where an event is on the chain. */
export interface Place {
  blockNumber: bigint
  blockHash: Hex
  txHash: Hex
  logIndex: number
}

/** A hold began. `nonce` is the hash of its terms, which its payer signed. */
export interface FundedEvent {
  kind: 'funded'
  place: Place
  holdId: Hex
  payer: Address
  terms: Terms
  nonce: Hex
  adopted: boolean
}

/** A hold ended, and these accounts were credited. */
export interface ReleasedEvent {
  kind: 'released'
  place: Place
  holdId: Hex
  order: Hex
  payer: Address
  credits: readonly { account: Address; amountMicros: bigint }[]
  /** 0: the resolver. 1: the payer. 2: the payee. */
  cause: number
}

/** A hold ended after its expiry, and its payer was credited all of it. */
export interface ReclaimedEvent {
  kind: 'reclaimed'
  place: Place
  holdId: Hex
  order: Hex
  payer: Address
  amountMicros: bigint
}

/**
 * An account withdrew its credit from the contract. `ordinal` is the number of this withdrawal in the
 * transaction, from 0.
 */
export interface WithdrawnEvent {
  kind: 'withdrawn'
  place: Place
  account: Address
  to: Address
  amountMicros: bigint
  ordinal: number
}

/**
 * The resolver announced an action on a stray payment, which can be executed from a time on (unix seconds).
 * The amount is as announced.
 */
export interface StrayAnnouncedEvent {
  kind: 'stray_announced'
  place: Place
  from: Address
  nonce: Hex
  action: 'adopt' | 'return'
  amount: bigint
  availableAt: number
}

/** The contract returned a stray payment to its payer. */
export interface StrayReturnedEvent {
  kind: 'stray_returned'
  place: Place
  from: Address
  nonce: Hex
  amountMicros: bigint
}

/**
 * A signed payment reached the escrow or the hot wallet: AuthorizationUsed(from, nonce), then this Transfer
 * from the same account. `holdId` is set when the contract opened a hold with it in the same call.
 */
export interface PaymentEvent {
  kind: 'payment'
  place: Place
  from: Address
  to: Address
  amountMicros: bigint
  nonce: Hex
  holdId: Hex | null
}

/**
 * Tokens reached the escrow or the hot wallet by a plain transfer, without a signature that names their
 * purpose.
 */
export interface TransferEvent {
  kind: 'transfer'
  place: Place
  from: Address
  to: Address
  amountMicros: bigint
}

/** Tokens left the hot wallet. `nonce` is the authorization's, if it was one. */
export interface OutflowEvent {
  kind: 'outflow'
  place: Place
  to: Address
  amountMicros: bigint
  nonce: Hex | null
}

/** The admin took tokens that the contract does not owe out of it, as announced thirty days before. */
export interface RescuedEvent {
  kind: 'rescued'
  place: Place
  to: Address
  amountMicros: bigint
}

/** Tokens left the contract, and no event of the contract explains it. The contract has no way to do that. */
export interface LeakEvent {
  kind: 'leak'
  place: Place
  to: Address
  amountMicros: bigint
}

/** One chain event that is processed, once. */
export type ChainEvent =
  | FundedEvent
  | ReleasedEvent
  | ReclaimedEvent
  | WithdrawnEvent
  | StrayAnnouncedEvent
  | StrayReturnedEvent
  | PaymentEvent
  | TransferEvent
  | OutflowEvent
  | RescuedEvent
  | LeakEvent

/**
 * The key of an event, the same in whichever block it is mined: a transaction that is mined again may get
 * another log index.
 */
export function businessKey(event: ChainEvent): string {
  switch (event.kind) {
    case 'funded':
    case 'released':
    case 'reclaimed':
      return `${event.kind}:${event.holdId}`
    case 'withdrawn':
      return `withdrawn:${event.account}:${event.place.txHash}:${event.ordinal}`
    case 'stray_returned':
    case 'payment':
      return `${event.kind}:${event.from}:${event.nonce}`
    case 'transfer':
    case 'rescued':
    case 'leak':
    case 'stray_announced':
      return `${event.kind}:${event.place.txHash}:${event.place.logIndex}`
    case 'outflow':
      return `outflow:${event.nonce ?? `${event.place.txHash}:${event.place.logIndex}`}`
  }
}

/** Returns a place in the form that ledger evidence stores. */
export function placeEvidence({ blockNumber, blockHash, txHash, logIndex }: Place) {
  return { block_number: blockNumber.toString(), block_hash: blockHash, tx_hash: txHash, log_index: logIndex }
}
