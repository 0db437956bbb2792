import type { CheckResult } from '../criteria/results.ts'
import type { Party } from '../orders/record/find.ts'
import type { Ground } from './grounds.ts'

/** What is known of one delivery, by its notice. Times are ISO 8601. */
export interface DeliveryFacts {
  number: number
  message_urn: string
  output_hash: string
  /** The later of the notice and its bytes. */
  delivered_at: string
  /** When the seller's time ended, as it stood at the notice. */
  due_at: string
  /** Bytes with exactly this hash reached the service, and whoever must disclose them has. */
  has_bytes: boolean
  /** No bytes, or text of nothing but white space. */
  is_blank: boolean
  /** The same bytes as in a delivery that was rejected before. */
  is_repeated: boolean
  /** What the checks of the order's criteria found: none of those of a sealed order. */
  checks: CheckResult[]
}

/**
 * What a dispute is decided by: computed once, when the evidence closes. It has no text of a party in it, so no text moves
 * a decision. Amounts are wire amounts.
 */
export interface DisputeFacts {
  price: string
  opener: Party
  /** Why the buyer disputes: its own grounds, or `other` if only a rejection says why. */
  grounds: Ground[]
  requested_refund: string | null
  offered_refund: string | null
  sla_seconds: number
  /** The order's criteria: their hash, whether their checks are the whole test, how many of those are of bytes. */
  criteria: { sha256: string; is_complete: boolean; byte_checks: number; is_deadline_essential: boolean } | null
  /** By number. */
  deliveries: DeliveryFacts[]
  /** Times of the rejections, by the number of the delivery that they reject. */
  rejections: { number: number; rejected_at: string; has_reason: boolean }[]
  /** Accepted changes of scope. */
  changes: { message_urn: string; sha256: string; accepted_at: string }[]
  /** What each side has done since the last rejection: messages, uploads, files, a response. What it said does not count. */
  acts_since_rejection: Record<Party, number>
}
