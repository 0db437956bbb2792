import type { Split } from '../../../protocol/payments/split.ts'
import type { Settings } from '../../context.ts'
import { announcementKind } from '../../platform/announcements/announce.ts'
import type { OrderRow } from './queries.ts'

// The announcements of payments about the money of an order. `api/reactions.ts` lists how other domains
// react. Each is announced after every payments row is written, with the order's row as it was locked.

/** An order was paid: its money is held. */
export interface HoldFunded {
  order: OrderRow
  payer: string
  nonce: string
  txHash: string
}
export const HoldFunded = announcementKind<HoldFunded, Settings>('HoldFunded')

/**
 * A payment of an order was accepted and could not be made. Nothing moved; `failure` is the cause's stable
 * name.
 */
export interface PaymentFailed {
  order: OrderRow
  payer: string
  nonce: string
  failure: string
}
export const PaymentFailed = announcementKind<PaymentFailed, Settings>('PaymentFailed')

/**
 * A hold ended with this split. `settlementRef` is the transaction that shows it: the release, or in custody
 * the deposit.
 */
export interface HoldReleased {
  order: OrderRow
  split: Split
  settlementRef: string
}
export const HoldReleased = announcementKind<HoldReleased, Settings>('HoldReleased')

/** The payer reclaimed an expired hold from the contract, all of it. */
export type HoldReclaimed = HoldReleased
export const HoldReclaimed = announcementKind<HoldReclaimed, Settings>('HoldReclaimed')

/** A reorganisation removed the payment that an order was paid with. Its intents are repeated meanwhile. */
export interface FundingReversed {
  order: OrderRow
}
export const FundingReversed = announcementKind<FundingReversed, Settings>('FundingReversed')

/** The payment that a reorganisation had removed is at confirmed depth again. */
export type FundingRestored = FundingReversed
export const FundingRestored = announcementKind<FundingRestored, Settings>('FundingRestored')
