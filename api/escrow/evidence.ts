import type { Address, Hex } from 'viem'
import type { Terms } from '../../protocol/terms.ts'

// What verbs are told of the chain: facts at confirmed depth, read from the log itself at a node. Addresses and hashes
// are lowercase, amounts micro-units.

/** Where a fact stands on chain. */
export interface Place {
  blockNumber: bigint
  blockHash: Hex
  txHash: Hex
  logIndex: number
}

/** A hold began. `nonce` is the hash of its terms: what its payer signed. */
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

/** An account took its credit out of the contract. `ordinal` is which of its withdrawals in the transaction it is, from 0. */
export interface WithdrawnEvent {
  kind: 'withdrawn'
  place: Place
  account: Address
  to: Address
  amountMicros: bigint
  ordinal: number
}

/** A stray payment went back from the contract to its sender. */
export interface StrayReturnedEvent {
  kind: 'stray_returned'
  place: Place
  from: Address
  nonce: Hex
  amountMicros: bigint
}

/**
 * A signed payment reached the escrow or the hot wallet: AuthorizationUsed(from, nonce), then this Transfer from the same
 * account. `holdId` is set when the contract opened a hold with it in the same breath.
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

/** Tokens reached the escrow or the hot wallet without a signature that says what for. */
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

/** The admin took tokens out of the contract that were owed to nobody, as announced thirty days before. */
export interface RescuedEvent {
  kind: 'rescued'
  place: Place
  to: Address
  amountMicros: bigint
}

/** Tokens left the contract, and no event of the contract says why. It has no way to do that. */
export interface LeakEvent {
  kind: 'leak'
  place: Place
  to: Address
  amountMicros: bigint
}

/** One fact that the market acts on, once. */
export type ChainEvent =
  | FundedEvent
  | ReleasedEvent
  | ReclaimedEvent
  | WithdrawnEvent
  | StrayReturnedEvent
  | PaymentEvent
  | TransferEvent
  | OutflowEvent
  | RescuedEvent
  | LeakEvent

/** What names a fact whichever block it is mined into: a transaction that is mined again keeps these, not its log index. */
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
      return `${event.kind}:${event.place.txHash}:${event.place.logIndex}`
    case 'outflow':
      return `outflow:${event.nonce ?? `${event.place.txHash}:${event.place.logIndex}`}`
  }
}

/** A place as ledger evidence keeps it. */
export function placeEvidence({ blockNumber, blockHash, txHash, logIndex }: Place) {
  return { block_number: blockNumber.toString(), block_hash: blockHash, tx_hash: txHash, log_index: logIndex }
}
