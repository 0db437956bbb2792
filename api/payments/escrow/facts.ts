import type { Split } from '../../../protocol/payments/split.ts'
import { factKind } from '../../platform/facts/announce.ts'
import type { PayableRef } from './payable.ts'

// The facts that payments announces about the money of a payable. `api/reactions.ts` lists how other domains react.
// Each is announced with the payable locked and after every payments row is written.

/** A payable was paid: its money is held. */
export interface HoldFunded {
  payable: PayableRef
  payer: string
  nonce: string
  txHash: string
}
export const HoldFunded = factKind<HoldFunded>('HoldFunded')

/** A payment of a payable was accepted and could not be made. Nothing moved; `failure` is the cause's stable name. */
export interface PaymentFailed {
  payable: PayableRef
  payer: string
  nonce: string
  failure: string
}
export const PaymentFailed = factKind<PaymentFailed>('PaymentFailed')

/**
 * A hold ended with this split. `settlementRef` is the transaction that shows it: the release, or in custody the
 * deposit.
 */
export interface HoldReleased {
  payable: PayableRef
  split: Split
  settlementRef: string
}
export const HoldReleased = factKind<HoldReleased>('HoldReleased')

/** The payer reclaimed an expired hold from the contract, all of it. */
export type HoldReclaimed = HoldReleased
export const HoldReclaimed = factKind<HoldReclaimed>('HoldReclaimed')

/** A reorganisation removed the payment that a payable was paid with. Its intents are repeated meanwhile. */
export interface FundingReversed {
  payable: PayableRef
}
export const FundingReversed = factKind<FundingReversed>('FundingReversed')

/** The payment that a reorganisation had removed is at confirmed depth again. */
export type FundingRestored = FundingReversed
export const FundingRestored = factKind<FundingRestored>('FundingRestored')
