import type { CheckResult } from '../../criteria/results.ts'
import type { Party } from '../../orders/record/find.ts'
import type { Ground } from '../record/grounds.ts'

/** The facts of one delivery, one per notice. Times are ISO 8601. */
export interface DeliveryFacts {
  number: number
  message_urn: string
  output_hash: string
  /** The later of the notice and its bytes. */
  delivered_at: string
  /** The seller's deadline at the time of the notice. */
  due_at: string
  /** Bytes with exactly this hash reached the service, and the party that must disclose them has done so. */
  has_bytes: boolean
  /** No bytes, or text of nothing but white space. */
  is_blank: boolean
  /** The same bytes as in a delivery that was rejected before. */
  is_repeated: boolean
  /** The results of the checks of the order's criteria; none for a sealed order. */
  checks: CheckResult[]
}

/**
 * The facts that decide a dispute, computed once, when the evidence closes. They contain no text of a party,
 * so no text influences a decision. Amounts are wire amounts.
 */
export interface DisputeFacts {
  price: string
  opener: Party
  /** The buyer's grounds: its own, or `other` if only a rejection states a reason. */
  grounds: Ground[]
  requested_refund: string | null
  offered_refund: string | null
  sla_seconds: number
  /**
   * The order's criteria: their hash, whether their checks are the whole test, how many checks read bytes.
   */
  criteria: { sha256: string; is_complete: boolean; byte_checks: number; is_deadline_essential: boolean } | null
  /** By number. */
  deliveries: DeliveryFacts[]
  /** Times of the rejections, by the number of the delivery that they reject. */
  rejections: { number: number; rejected_at: string; has_reason: boolean }[]
  /** Accepted changes of scope. */
  changes: { message_urn: string; sha256: string; accepted_at: string }[]
  /**
   * The number of actions of each side since the last rejection: messages, uploads, files, a response. Their
   * content does not count.
   */
  acts_since_rejection: Record<Party, number>
  /**
   * The buyer's messages that the seller cites, if its statement names the ground `late`. Records of rules@4
   * have none.
   */
  late_citations?: { message_urn: string; sent_at: string }[]
}
